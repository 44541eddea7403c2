// Gives a move the name that its player uses, for example `Nf3` instead of `g1f3`. The name is
// computed only from the player's own men and the announcements. The name has an `x` only if the
// player heard of a capture, and a `+` only if a check was announced.

import { FILES, letterOf, readBoard, type Placed, type Square } from "./men";
import { ownLetter } from "./letters";
import type { Notation } from "./settings.svelte";
import { readTry, type Attempt } from "./tries";
import type { HeardJson, HearingJson, Man, Side } from "./wire";

const fileOf = (square: Square): number => FILES.indexOf(square.charAt(0));
const rankOf = (square: Square): number => Number(square.charAt(1));

/** Whether a man could go from one square to another if there were no men but the player's own. */
function reaches({ man, square: from, side }: Placed, to: Square, own: ReadonlySet<Square>): boolean {
  const [across, up] = [fileOf(to) - fileOf(from), rankOf(to) - rankOf(from)];
  const [wide, high] = [Math.abs(across), Math.abs(up)];
  if (wide + high === 0) return false;
  const straight = wide === 0 || high === 0;
  const diagonal = wide === high;
  switch (man) {
    case "king":
      return wide <= 1 && high <= 1;
    case "knight":
      return wide * high === 2;
    case "pawn": {
      const ahead = side === "white" ? up : -up;
      const begins = rankOf(from) === (side === "white" ? 2 : 7);
      return ahead === 1 ? wide <= 1 : ahead === 2 && wide === 0 && begins;
    }
    case "bishop":
      if (!diagonal) return false;
      break;
    case "rook":
      if (!straight) return false;
      break;
    case "queen":
      if (!straight && !diagonal) return false;
  }
  for (let step = 1; step < Math.max(wide, high); step += 1) {
    const square = `${FILES[fileOf(from) + Math.sign(across) * step]}${rankOf(from) + Math.sign(up) * step}`;
    if (own.has(square)) return false;
  }
  return true;
}

/** Whether an own move was a capture, gave check or mated, as far as the player heard. */
export interface Told {
  capture: boolean;
  check: boolean;
  mate: boolean;
}
const NOTHING: Told = { capture: false, check: false, mate: false };

/** Whether a move of the king is castling: two squares along its rank. */
const castles = (attempt: Attempt, man: Man): boolean =>
  attempt.kind === "step" && man === "king" && Math.abs(fileOf(attempt.from) - fileOf(attempt.to)) === 2 && rankOf(attempt.from) === rankOf(attempt.to);

/** The name of a square for a side in descriptive notation: `KB3`. */
const descriptiveSquare = (square: Square, side: Side): string =>
  `${["QR", "QN", "QB", "Q", "K", "KB", "KN", "KR"][fileOf(square)]}${side === "white" ? rankOf(square) : 9 - rankOf(square)}`;

/** The name of an attempt in a notation. An attempt that cannot be read keeps its text. */
export function nameOf(text: string, men: readonly Placed[], side: Side, notation: Notation, told: Told = NOTHING): string {
  const attempt = readTry(text);
  if (attempt === null || notation === "coordinates") return text;
  const mark = told.mate ? "#" : told.check ? "+" : "";
  const descriptive = notation === "descriptive";
  if (attempt.kind === "drop") return `${descriptive ? letterOf(attempt.man, "white") : ownLetter(attempt.man)}@${descriptive ? descriptiveSquare(attempt.to, side) : attempt.to}${mark}`;
  const mover = men.find((one) => one.square === attempt.from);
  if (mover === undefined) return text;
  const { man } = mover;
  if (castles(attempt, man)) return `${fileOf(attempt.to) > fileOf(attempt.from) ? "O-O" : "O-O-O"}${mark}`;
  const becomes = attempt.promotion === null ? "" : `=${letterOf(attempt.promotion, "white")}`;
  const own = new Set(men.map((one) => one.square));
  const rivals = men.filter((one) => one.man === man && one.square !== attempt.from && reaches(one, attempt.to, own));
  if (descriptive) {
    const origin = rivals.length > 0 ? `(${descriptiveSquare(attempt.from, side)})` : "";
    return `${letterOf(man, "white")}${origin}${told.capture ? "x" : "-"}${descriptiveSquare(attempt.to, side)}${becomes}${mark}`;
  }
  const promoted = attempt.promotion === null ? "" : `=${ownLetter(attempt.promotion)}`;
  const takes = told.capture ? "x" : "";
  const [file, rank] = [attempt.from.charAt(0), attempt.from.charAt(1)];
  if (man === "pawn") {
    const origin = file === attempt.to.charAt(0) ? "" : file;
    return `${origin}${origin === "" ? "" : takes}${attempt.to}${promoted}${mark}`;
  }
  const sameFile = rivals.some((one) => one.square.charAt(0) === file);
  const sameRank = rivals.some((one) => one.square.charAt(1) === rank);
  const origin = rivals.length === 0 ? "" : !sameFile ? file : !sameRank ? rank : file + rank;
  return `${ownLetter(man)}${origin}${takes}${attempt.to}${mark}`;
}

/** The player's men after a move of the player. */
export function afterMove(men: readonly Placed[], text: string, side: Side): Placed[] {
  const attempt = readTry(text);
  if (attempt === null) return [...men];
  if (attempt.kind === "drop") return [...men, { square: attempt.to, man: attempt.man, side }];
  const mover = men.find((one) => one.square === attempt.from);
  if (mover === undefined) return [...men];
  const rest = men.filter((one) => one !== mover);
  const moved = [...rest, { ...mover, square: attempt.to, man: attempt.promotion ?? mover.man }];
  if (!castles(attempt, mover.man)) return moved;
  // The rook that is nearest to the king on that side jumps over the king.
  const way = Math.sign(fileOf(attempt.to) - fileOf(attempt.from));
  const rooks = rest.filter((one) => one.man === "rook" && one.square.endsWith(attempt.from.charAt(1)) && Math.sign(fileOf(one.square) - fileOf(attempt.from)) === way);
  const rook = rooks.sort((a, b) => Math.abs(fileOf(a.square) - fileOf(attempt.from)) - Math.abs(fileOf(b.square) - fileOf(attempt.from)))[0];
  const beside = `${FILES[fileOf(attempt.to) - way]}${attempt.to.charAt(1)}`;
  return moved.map((one) => (one === rook ? { ...one, square: beside } : one));
}

/** What a player heard about an own move. */
export const toldOf = (heard: readonly HeardJson[]): Told => ({
  capture: heard.some((one) => one.kind === "capture"),
  check: heard.some((one) => one.kind === "check"),
  mate: heard.some((one) => one.kind === "over" && one.reason === "checkmate"),
});

/** The texts of attempts and their names, for one hearing. */
export type Names = ReadonlyMap<string, string>;

/**
 * The names of the seat's own attempts, by number of the hearing. To find the names, the men are
 * followed from the start of the game.
 */
export function namesBy(hearings: readonly HearingJson[], seat: Side | null, notation: Notation): ReadonlyMap<number, Names> {
  const all = new Map<number, Names>();
  if (seat === null || notation === "coordinates") return all;
  let men: Placed[] = [];
  for (const { n, heard } of hearings) {
    const names = new Map<string, string>();
    for (const told of heard) {
      if (told.kind === "start") men = readBoard(told.men ?? "");
      else if (told.kind === "lost") men = men.filter((one) => one.square !== told.square);
      else if ((told.kind === "no" || told.kind === "nonsense" || told.kind === "repeat-no") && told.by === seat && told.attempt != null)
        names.set(told.attempt, nameOf(told.attempt, men, seat, notation));
      else if (told.kind === "moved" && told.by === seat && told.attempt != null) {
        names.set(told.attempt, nameOf(told.attempt, men, seat, notation, toldOf(heard)));
        men = afterMove(men, told.attempt, seat);
      }
    }
    if (names.size > 0) all.set(n, names);
  }
  return all;
}
