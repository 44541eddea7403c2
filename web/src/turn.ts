// Whose turn it is. This function is not in `turns.ts`, because the first screen needs this function, but nothing of `turns.ts`.

import type { HeardJson, Side } from "./wire";

/** The turn that a hearing begins, or the end of the game; null if the hearing does neither. */
export function turnIn(heard: readonly HeardJson[]): Side | "over" | null {
  let next: Side | "over" | null = null;
  for (const told of heard) {
    if (told.kind === "turn") next = told.to_move;
    if (told.kind === "over") next = "over";
    if (told.kind === "start" && next === null) next = "white";
  }
  return next;
}
