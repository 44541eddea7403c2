// Reads and writes boards in the server's format, for drawing and for text.
// Nothing here knows how men move.

import { t } from "./language.svelte";
import type { Man, Side } from "./wire";

export type Square = string;
export interface Placed {
  square: Square;
  man: Man;
  side: Side;
}

export const FILES = "abcdefgh";
const MEN: Record<string, Man> = {
  k: "king",
  q: "queen",
  r: "rook",
  b: "bishop",
  n: "knight",
  p: "pawn",
};
const LETTERS: Record<Man, string> = {
  king: "k",
  queen: "q",
  rook: "r",
  bishop: "b",
  knight: "n",
  pawn: "p",
};
/** The men, in the order of lists. */
export const ORDER: readonly Man[] = ["king", "queen", "rook", "bishop", "knight", "pawn"];

export const manOf = (letter: string): Man | undefined => MEN[letter.toLowerCase()];

export function letterOf(man: Man, side: Side): string {
  const letter = LETTERS[man];
  return side === "white" ? letter.toUpperCase() : letter;
}

export const other = (side: Side): Side => (side === "white" ? "black" : "white");
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Whether a text is the name of a man. */
export const isMan = (text: string | undefined): text is Man => text !== undefined && Object.hasOwn(LETTERS, text);

/** Whether a text is the name of a square. */
export const isSquare = (text: string): boolean => /^[a-h][1-8]$/.test(text);

/** A square at a distance from another; null beside the board. */
export function beside(square: Square, files: number, ranks: number): Square | null {
  const file = FILES[FILES.indexOf(square.charAt(0)) + files];
  const rank = Number(square.charAt(1)) + ranks;
  return file === undefined || rank < 1 || rank > 8 ? null : `${file}${rank}`;
}

/** The squares of the line through a square in a direction, from its left or lower end. */
export function lineThrough(square: Square, files: number, ranks: number): Square[] {
  const ray = (way: 1 | -1): Square[] => {
    const next = (at: Square): Square[] => {
      const one = beside(at, way * files, way * ranks);
      return one === null ? [] : [one, ...next(one)];
    };
    return next(square);
  };
  return [...ray(-1).reverse(), square, ...ray(1)];
}

/** The two diagonals through a square, each from its left end to its right end. */
export function diagonals(square: Square): { long: Square[]; short: Square[] } {
  const [rising, falling] = [lineThrough(square, 1, 1), lineThrough(square, 1, -1)];
  return rising.length > falling.length ? { long: rising, short: falling } : { long: falling, short: rising };
}

/** Reads the board part of a FEN; ignores the rest. */
export function readBoard(fen: string): Placed[] {
  const placed: Placed[] = [];
  const board = fen.split(/[ [_]/)[0] ?? "";
  board.split("/").forEach((row, down) => {
    let file = 0;
    for (const letter of row) {
      const empty = Number(letter);
      if (empty > 0) {
        file += empty;
        continue;
      }
      const man = manOf(letter);
      if (man === undefined) continue;
      placed.push({
        square: `${FILES[file]}${8 - down}`,
        man,
        side: letter === letter.toUpperCase() ? "white" : "black",
      });
      file += 1;
    }
  });
  return placed;
}

/** Writes the board part of a FEN. If a square is named twice, the last man wins. */
export function writeBoard(placed: readonly Placed[]): string {
  const at = new Map(placed.map((p) => [p.square, letterOf(p.man, p.side)]));
  const rows: string[] = [];
  for (let rank = 8; rank >= 1; rank -= 1) {
    let row = "";
    let empty = 0;
    for (const file of FILES) {
      const letter = at.get(`${file}${rank}`);
      if (letter === undefined) {
        empty += 1;
        continue;
      }
      row += (empty > 0 ? empty : "") + letter;
      empty = 0;
    }
    rows.push(row + (empty > 0 ? empty : ""));
  }
  return rows.join("/");
}

/** The men of one side. */
export const ofSide = (placed: readonly Placed[], side: Side): Placed[] =>
  placed.filter((p) => p.side === side);

/** A list for people: `King e1`, `Rooks a1, h1`, and so on. */
export function listOf(placed: readonly Placed[]): { man: string; squares: string }[] {
  return ORDER.flatMap((man) => {
    const squares = placed
      .filter((p) => p.man === man)
      .map((p) => p.square)
      .sort();
    if (squares.length === 0) return [];
    return [{ man: squares.length === 1 ? t("chess-man-title", { man }) : t("chess-men-title", { man }), squares: squares.join(", ") }];
  });
}

/** The list of men as one sentence, for the label of the board. */
export const sentenceOf = (placed: readonly Placed[]): string =>
  listOf(placed)
    .map(({ man, squares }) => `${man} ${squares}`)
    .join("; ");
