// Adapts the referee's words to the player in a seat. Says whose pawn tries are announced and who
// won, and leaves out what would be said twice.

import { endOf } from "./ends";
import { addressed } from "./men";
import { chess, game } from "./words";
import type { HeardJson, HearingJson, OverJson, Side } from "./wire";

type Lost = Extract<HeardJson, { kind: "lost" }>;
type Capture = Extract<HeardJson, { kind: "capture" }>;

/**
 * Whether an announced capture repeats the loss of the own man. It does if both name the same square
 * and the same kind of man.
 */
function repeats({ square, man, en_passant }: Capture, lost: Lost): boolean {
  const kind = lost.man === "pawn" ? "pawn" : "piece";
  return square === lost.square && !en_passant && (man === null || man === kind || man === lost.man);
}

/** Says whose pawn tries the referee announces: the pawn tries of the player to move. */
function withOwner(text: string, { any, count, squares, double }: Extract<HeardJson, { kind: "tries" }>, of: Side, seat: Side | null): string {
  const none = count === 0 || ((any ?? count ?? null) === null && (squares ?? []).length + (double ?? []).length === 0);
  const whose = seat === null ? of : seat === of ? "you" : "opponent";
  if (none) return game.tries.none(whose);
  if (count != null) return game.tries.some(whose, count);
  return any === true ? game.tries.any(whose) : game.tries.named(whose, text);
}

/** The end of a game for a player: who won, and why; null if nobody won. */
export function endSaid(over: OverJson, seat: Side): string | null {
  const { end } = endOf(over, seat);
  if (end !== chess.ends.youWon && end !== chess.ends.youLost) return null;
  const cause = (end === chess.ends.youWon ? game.wonBy : game.lostBy)[over.reason] ?? chess.causes[over.reason];
  return game.endSaid(end, cause, over.result);
}

/** The referee's words of a hearing. The text of an announcement is empty if the referee says nothing. */
export const refereeSaid = ({ words }: Pick<HearingJson, "words">): string => words.filter((text) => text !== "").join(" ");

/** The words of a hearing as the page says them to a seat, one text for each thing that was said. A spectator has no seat. */
export function saidTo({ heard, words }: Pick<HearingJson, "heard" | "words">, seat: Side | null): string[] {
  const lost = heard.filter((one) => one.kind === "lost");
  const toMove = heard.find((one) => one.kind === "turn")?.to_move ?? null;
  return words.flatMap((text, at) => {
    const told = heard[at];
    if (text === "") return [];
    if (told?.kind === "capture" && lost.some((one) => repeats(told, one))) return [];
    if (told?.kind === "tries" && toMove !== null) return [withOwner(text, told, toMove, seat)];
    if (told?.kind === "over" && seat !== null) return [endSaid(told, seat) ?? addressed(text, seat)];
    return [addressed(text, seat)];
  });
}
