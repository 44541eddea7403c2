// Whose turn it is. The first screen needs this function, and needs nothing else from `turns.ts`. So the function has its own file.

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
