// Guesses of enemy men. They never leave this device.

import type { HearingJson, LeftJson, Man, RulesetJson, Side } from "./wire";
import { isSquare, manOf, ORDER, type Square } from "./men";

export type Guess = Record<Square, Man>;
export const NAMES = ["A", "B", "C"] as const;
export type Name = (typeof NAMES)[number];
export interface Guesses {
  shown: Name;
  sets: Record<Name, Guess>;
}

export const none = (): Guesses => ({ shown: "A", sets: { A: {}, B: {}, C: {} } });

const FULL: Record<Man, number> = { king: 1, queen: 1, rook: 2, bishop: 2, knight: 2, pawn: 8 };

export interface Count {
  man: Man;
  placed: number;
  /** The most of this kind that can still exist. */
  most: number;
  /** Of these, how many are not placed; never below nothing. */
  free: number;
}

/** The enemy's men where all of it is told. */
export interface Told {
  /** On the board, by what each began as; a promoted man is a pawn when it is captured. */
  board: Record<Man, number>;
  /** In his reserve, on no square. */
  reserve: Record<Man, number>;
}

/** What captures and drops told by name make certain; null where they are not. */
export function standing(hearings: readonly HearingJson[], seat: Side, choices: RulesetJson["choices"]): Told | null {
  const { reserve, capture_man, capture_heard } = choices;
  if (reserve !== "drops" || capture_man !== "exact" || capture_heard !== "both") return null;
  const men = { ...FULL };
  const waits: Record<Man, number> = { king: 0, queen: 0, rook: 0, bishop: 0, knight: 0, pawn: 0 };
  for (const { heard } of hearings) {
    const mine = heard.some((told) => told.kind === "moved" && told.by === seat);
    for (const told of heard) {
      if (told.kind === "drop" && told.by !== seat) {
        men[told.man] += 1;
        waits[told.man] -= 1;
      }
      if (told.kind !== "capture") continue;
      if (told.man === null || told.man === "piece") return null;
      if (mine) men[told.man] -= 1;
      else waits[told.man] += 1;
    }
  }
  return { board: men, reserve: waits };
}

/** Men counted in words, the queen first: `queen, 2 pawns`. */
export const countOf = (men: Record<Man, number>): string =>
  ORDER.flatMap((man) => (men[man] < 1 ? [] : men[man] === 1 ? [man] : [`${men[man]} ${man}s`])).join(", ");

/** What stands as the most there can be: a pawn may be any piece by now. */
export function mostOf(men: Record<Man, number>): LeftJson {
  const all = men.pawn + men.knight + men.bishop + men.rook + men.queen;
  return { men: all + 1, pawns: men.pawn, pieces: all };
}

/**
 * How many of each kind the tray still holds. The server says how many pawns
 * and how many pieces there can be; a promoted pawn may be any piece, so no
 * piece is refused while a piece is left.
 */
export function tray(guess: Guess, left: LeftJson, full: Record<Man, number> = FULL): Count[] {
  const placed = (man: Man): number => Object.values(guess).filter((m) => m === man).length;
  const order: Man[] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
  return order.map((man) => {
    const most = man === "king" ? 1 : man === "pawn" ? left.pawns : Math.min(full[man], left.pieces);
    return { man, placed: placed(man), most, free: Math.max(0, most - placed(man)) };
  });
}

/** What is placed that cannot be, in words; null when all fits. */
export function tooMany(guess: Guess, left: LeftJson): string | null {
  const men = Object.values(guess);
  const pawns = men.filter((m) => m === "pawn").length;
  const kings = men.filter((m) => m === "king").length;
  const pieces = men.length - pawns - kings;
  if (kings > 1) return "There is only one king.";
  if (pawns > left.pawns) return `At most ${left.pawns} pawns can be left.`;
  if (pieces > left.pieces) return `At most ${left.pieces} pieces can be left beside the king.`;
  if (left.men !== null && men.length > left.men) return `Only ${left.men} men are left in all.`;
  return null;
}

/** A guess without what stands where one's own men stand. */
export function prune(guess: Guess, own: ReadonlySet<Square>): Guess {
  return Object.fromEntries(Object.entries(guess).filter(([square]) => !own.has(square)));
}

/** Reads a guess as typed: `qd8`, `Q d8`, `e5` (a pawn), `-d8` (nobody). */
export function readGuess(text: string): { square: Square; man: Man | null } | null {
  const found = /^\s*(-|x|[kqrbnp])?\s*([a-h][1-8])\s*$/i.exec(text.toLowerCase());
  const square = found?.[2];
  if (square === undefined || !isSquare(square)) return null;
  const letter = found?.[1] ?? "p";
  if (letter === "-" || letter === "x") return { square, man: null };
  return { square, man: manOf(letter) ?? "pawn" };
}

const key = (game: string, seat: string): string => `guesses:${game}:${seat}`;

export function load(game: string, seat: string): Guesses {
  try {
    const kept = JSON.parse(localStorage.getItem(key(game, seat)) ?? "null") as Guesses | null;
    if (kept !== null && NAMES.includes(kept.shown) && NAMES.every((n) => typeof kept.sets[n] === "object"))
      return kept;
  } catch {
    // What cannot be read is as if it were not there.
  }
  return none();
}

export function keep(game: string, seat: string, guesses: Guesses): void {
  try {
    localStorage.setItem(key(game, seat), JSON.stringify(guesses));
  } catch {
    // A full or closed storage costs the guesses at the next visit, nothing more.
  }
}
