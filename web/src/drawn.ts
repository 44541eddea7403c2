// What a board draws of the announcements. The only sources are what the seat heard and the seat's own view.

import { beside, diagonals, lineThrough, readBoard, type Square } from "./men";
import { readTry } from "./tries";
import { turnIn } from "./turn";
import { announcesTry } from "./turns";
import type { HeardJson, HearingJson, SeatViewJson, Side } from "./wire";

/** The part of a seat's view from which a board is drawn. */
type View = Pick<SeatViewJson, "men" | "tries" | "refused">;

export interface Drawn {
  /** CSS classes of squares. The catalogue has words for each class (`game.board.marks`). */
  squares: ReadonlyMap<Square, string>;
  /** The ends of the lines on which the own king can be attacked. */
  lines: readonly (readonly [Square, Square])[];
}

const KNIGHT = [1, 2, -1, -2].flatMap((files) => [1, 2, -1, -2].filter((ranks) => Math.abs(ranks) !== Math.abs(files)).map((ranks) => [files, ranks] as const));

/** The squares from which the king on a square can be attacked in an announced direction. */
function attackers(king: Square, direction: string): Square[] {
  switch (direction) {
    case "file":
      return lineThrough(king, 0, 1);
    case "rank":
      return lineThrough(king, 1, 0);
    case "long":
      return diagonals(king).long;
    case "short":
      return diagonals(king).short;
    default:
      return KNIGHT.flatMap(([files, ranks]) => beside(king, files, ranks) ?? []);
  }
}

/** The part of a line that the own men leave open to the king. */
function open(line: readonly Square[], king: Square, own: ReadonlySet<Square>): Square[] {
  const at = line.indexOf(king);
  const before = line.slice(0, at).findLastIndex((one) => own.has(one));
  const after = line.findIndex((one, n) => n > at && own.has(one));
  return line.slice(before + 1, after === -1 ? undefined : after);
}

/** What was heard since this seat's turn began; empty in the opponent's turn. */
function inTurn(hearings: readonly HearingJson[], seat: Side): HeardJson[] {
  const began = hearings.findLastIndex(({ heard }) => turnIn(heard) !== null);
  const first = hearings[began];
  return first !== undefined && turnIn(first.heard) === seat ? hearings.slice(began).flatMap(({ heard }) => heard) : [];
}

/** The squares that the calls of a hearing name as places of captures. */
const captured = (heard: readonly HeardJson[]): Square[] =>
  heard.flatMap((told) => ((told.kind === "lost" || told.kind === "capture") && told.square !== null ? [told.square] : []));

/** What the board of a seat draws; a spectator (null) sees the squares of the last captures. */
export function drawnOf(hearings: readonly HearingJson[], seat: Side | null, view: View | null, choices: Readonly<Record<string, string>>): Drawn {
  const squares = new Map<Square, string>();
  const lines: (readonly [Square, Square])[] = [];
  const mark = (square: Square, name: string): void => {
    const names = squares.get(square)?.split(" ") ?? [];
    if (!names.includes(name)) squares.set(square, [...names, name].join(" "));
  };

  // The own last move, and the captures since then. A spectator sees the captures of the last hearing that names one.
  for (const { heard } of hearings.toReversed()) {
    const took = captured(heard);
    const mine = heard.find((told) => told.kind === "moved" && told.by === seat && told.attempt != null);
    const attempt = mine?.kind === "moved" && mine.attempt != null ? readTry(mine.attempt) : null;
    // The own man that took stands there: nothing of one's own was lost.
    for (const square of took) if (square !== attempt?.to) mark(square, "told");
    if (seat === null && took.length > 0) break;
    if (attempt === null) continue;
    if (attempt.kind === "step") mark(attempt.from, "mine");
    mark(attempt.to, "mine");
    break;
  }
  if (seat === null || view === null) return { squares, lines };

  const men = readBoard(view.men);
  const own = new Set(men.map(({ square }) => square));
  const king = men.find(({ man }) => man === "king")?.square;
  const now = inTurn(hearings, seat);
  const check = now.find((told) => told.kind === "check");
  if (check !== undefined && king !== undefined) {
    mark(king, "check");
    for (const direction of check.directions) {
      const from = attackers(king, direction);
      if (direction === "knight") for (const square of from.filter((one) => !own.has(one))) mark(square, "jump");
      else {
        const line = open(from, king, own);
        for (const square of line) mark(square, "line");
        lines.push([line[0]!, line.at(-1)!]);
      }
    }
  }

  const announced = now.filter((told) => announcesTry(told, seat));
  if (announced.length > 0) {
    const named = announced.flatMap((told) => (told.kind === "tries" ? [...(told.squares ?? []), ...(told.double ?? [])] : []));
    const origins = choices.pawn_try_square === "origin";
    if (!origins) for (const square of named) mark(square, "goal");
    const pawns = new Set(men.filter(({ man }) => man === "pawn").map(({ square }) => square));
    const meant = new Set<Square>();
    for (const attempt of view.tries.map(readTry)) {
      if (attempt?.kind !== "step" || !pawns.has(attempt.from) || attempt.from.charAt(0) === attempt.to.charAt(0)) continue;
      if (named.length === 0 || named.includes(origins ? attempt.from : attempt.to)) meant.add(attempt.from);
    }
    // A mark on every pawn would say nothing.
    if (named.length > 0 || meant.size === 1 || meant.size < pawns.size) for (const square of meant) mark(square, "meant");
  }
  for (const { attempt } of view.refused) {
    const to = readTry(attempt)?.to;
    if (to !== undefined) mark(to, "refused");
  }
  return { squares, lines };
}
