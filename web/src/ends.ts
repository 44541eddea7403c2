// How a game ended, from the player's point of view.

import { t } from "./language.svelte";
import type { LineJson, OverJson, Side } from "./wire";

/** The side that won; null for a draw and for no result. */
const winnerOf = (result: OverJson["result"]): Side | null => (result === "1-0" ? "white" : result === "0-1" ? "black" : null);

/** The result for this seat, and its reason: `You won`, `checkmate`. */
export function endOf({ result, reason }: OverJson, seat: Side | null): { end: string; cause: string } {
  const cause = t("chess-cause", { reason });
  const winner = winnerOf(result);
  if (result === "*") return { end: t("chess-aborted"), cause };
  if (winner === null) return { end: t("chess-drawn"), cause };
  if (seat === null) return { end: t("chess-won", { side: winner }), cause };
  return { end: winner === seat ? t("chess-you-won") : t("chess-you-lost"), cause };
}

const REFUSED: ReadonlySet<string> = new Set(["no", "nonsense", "repeat-no"]);
/** Whether the referee refused the attempt of a line. */
export const isRefused = ({ answer }: Pick<LineJson, "answer">): boolean => REFUSED.has(answer);

/** How many moves, tries and refused tries a seat made; of both sides for a spectator. */
export function talliesOf(lines: readonly Pick<LineJson, "by" | "answer">[], seat: Side | null): { moves: number; tries: number; refused: number } {
  const own = lines.filter(({ by }) => by !== null && (seat === null || by === seat));
  const [moves, refused] = [own.filter(({ answer }) => answer === "moved").length, own.filter(isRefused).length];
  return { moves, tries: moves + refused, refused };
}
