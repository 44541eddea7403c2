// Guesses about the opponent's men. They never leave this device.

import type { LeftJson, Man } from "./wire";
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
  /** The maximum number of men of this kind that can still exist. */
  most: number;
  /** The number of these men that are not placed; at least 0. */
  free: number;
}

/** Counts men given as letters, such as `QRRP`, by kind. */
export function kindsOf(letters: string): Record<Man, number> {
  const men: Record<Man, number> = { king: 0, queen: 0, rook: 0, bishop: 0, knight: 0, pawn: 0 };
  for (const letter of letters) {
    const man = manOf(letter.toLowerCase());
    if (man !== undefined) men[man] += 1;
  }
  return men;
}

/** Counts of men in words, in the order of lists: `queen, 2 pawns`. */
export const countOf = (men: Record<Man, number>): string =>
  ORDER.flatMap((man) => (men[man] < 1 ? [] : men[man] === 1 ? [man] : [`${men[man]} ${man}s`])).join(", ");

/**
 * Counts the men of each kind that the tray still holds. The numbers come from the server, or
 * from the men with which a side begins. Promoted pawns may be placed in addition.
 */
export function tray(guess: Guess, left: LeftJson): Count[] {
  const placed = (man: Man): number => Object.values(guess).filter((m) => m === man).length;
  const told = left.kinds === null ? null : kindsOf(left.kinds);
  const order: Man[] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
  return order.map((man) => {
    const begun = man === "pawn" ? left.pawns : Math.min(FULL[man], left.pieces);
    const most = man === "king" ? 1 : (told?.[man] ?? begun);
    return { man, placed: placed(man), most, free: Math.max(0, most - placed(man)) };
  });
}

/** Says which placed men are too many; null if all are possible. */
export function tooMany(guess: Guess, left: LeftJson): string | null {
  const men = Object.values(guess);
  const pawns = men.filter((m) => m === "pawn").length;
  const kings = men.filter((m) => m === "king").length;
  const pieces = men.length - pawns - kings;
  if (kings > 1) return "There is only one king.";
  if (pawns > left.pawns) return `At most ${left.pawns} pawns can be left.`;
  // Every remaining pawn that is not placed as a pawn may have been promoted.
  const promoted = left.pawns - pawns;
  if (pieces > left.pieces + promoted) {
    const all = left.pieces + promoted;
    return `At most ${all} ${all === 1 ? "piece" : "pieces"} can be left beside the king${pawns > 0 ? " and these pawns" : ""}.`;
  }
  if (left.men !== null && men.length > left.men) return `Only ${left.men} men are left in all.`;
  return null;
}

/** A guess without the men on squares of the player's own men. */
export function prune(guess: Guess, own: ReadonlySet<Square>): Guess {
  return Object.fromEntries(Object.entries(guess).filter(([square]) => !own.has(square)));
}

/** Reads a typed guess: `qd8`, `Q d8`, `e5` (a pawn), `-d8` (no man). */
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
    // Invalid data count as no guesses.
  }
  return none();
}

export function keep(game: string, seat: string, guesses: Guesses): void {
  try {
    localStorage.setItem(key(game, seat), JSON.stringify(guesses));
  } catch {
    // If the storage is full or not available, the guesses are missing at the next visit.
  }
}
