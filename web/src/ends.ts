// How a game ended, from the player's point of view.

import type { OverJson, ReasonJson, Side } from "./wire";

const CAUSES: Record<ReasonJson, string> = {
  checkmate: "checkmate",
  stalemate: "stalemate",
  insufficient: "too little material",
  threefold: "the position occurred three times",
  fifty: "fifty moves",
  resignation: "resignation",
  agreement: "by agreement",
  time: "on time",
  "exhausted-tries": "three pawn captures were refused",
  aborted: "",
  abandoned: "the game was left",
};

/** The result for this seat, and its reason: `You won`, `checkmate`. */
export function endOf({ result, reason }: OverJson, seat: Side | null): { end: string; cause: string } {
  const cause = CAUSES[reason];
  if (result === "*") return { end: "Aborted", cause };
  if (result === "1/2-1/2") return { end: "Drawn", cause };
  const winner = result === "1-0" ? "white" : "black";
  if (seat === null) return { end: winner === "white" ? "White won" : "Black won", cause };
  return { end: winner === seat ? "You won" : "You lost", cause };
}
