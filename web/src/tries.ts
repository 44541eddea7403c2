// Reads the tries that the server lists, for moves by mouse, by touch and by text.
// The server decides which tries are worth making.

import { chess } from "./words";
import type { Man } from "./wire";
import { manOf, type Placed, type Square } from "./men";

export type Attempt =
  | { kind: "step"; from: Square; to: Square; promotion: Man | null }
  | { kind: "drop"; man: Man; to: Square };

/** Reads a try in the server's format; null if the text is not a try. */
export function readTry(text: string): Attempt | null {
  const drop = /^([QRBNP])@([a-h][1-8])$/.exec(text);
  if (drop) return { kind: "drop", man: manOf(drop[1]!)!, to: drop[2]! };
  const step = /^([a-h][1-8])([a-h][1-8])([qrbnk])?$/.exec(text);
  if (!step) return null;
  return {
    kind: "step",
    from: step[1]!,
    to: step[2]!,
    promotion: step[3] === undefined ? null : manOf(step[3])!,
  };
}

/** The target squares of the listed tries, by the square of the man. */
export function destinations(tries: readonly string[]): Map<Square, Square[]> {
  const all = new Map<Square, Square[]>();
  for (const text of tries) {
    const attempt = readTry(text);
    if (attempt?.kind !== "step") continue;
    const squares = all.get(attempt.from) ?? [];
    if (!squares.includes(attempt.to)) squares.push(attempt.to);
    all.set(attempt.from, squares);
  }
  return all;
}

/** The tries from one square to another. For a promotion there are several; the queen comes first. */
export const between = (tries: readonly string[], from: Square, to: Square): string[] =>
  tries
    .filter((text) => text.startsWith(from + to))
    .sort((a, b) => "qrbn".indexOf(a.charAt(4)) - "qrbn".indexOf(b.charAt(4)));

/** The squares where a man of the reserve can be dropped. */
export const drops = (tries: readonly string[], letter: string): Square[] =>
  tries.filter((text) => text.startsWith(`${letter}@`)).map((text) => text.slice(2));

/** The listed tries that fit a typed try; null if the text cannot be read here. */
export function comesTo(text: string, tries: readonly string[], placed: readonly Placed[]): string[] | null {
  const bare = text.trim().replace(/[+#!?]+$/, "");
  const found = (fits: (attempt: Attempt) => boolean): string[] =>
    tries.filter((one) => {
      const attempt = readTry(one);
      return attempt !== null && fits(attempt);
    });
  /** Whether the typed promotion piece is the piece of the try, or no piece was typed. */
  const becomes = (attempt: Attempt, letter: string | undefined): boolean =>
    attempt.kind === "step" && (letter === undefined || attempt.promotion === manOf(letter));
  const castles = /^[o0]-[o0](-[o0])?$/i.exec(bare);
  if (castles !== null) {
    const king = placed.find((p) => p.man === "king")?.square;
    const to = castles[1] === undefined ? "g" : "c";
    return found((one) => one.kind === "step" && king === `e${one.from.charAt(1)}` && one.from === king && one.to.startsWith(to));
  }
  const drop = /^([QRBNP])@([a-h][1-8])$/i.exec(bare);
  if (drop !== null) return found((one) => one.kind === "drop" && one.man === manOf(drop[1]!) && one.to === drop[2]!.toLowerCase());
  const steps = /^([a-h][1-8])[-x]?([a-h][1-8])=?([qrbnk])?$/.exec(bare.toLowerCase());
  // The club asks back whether a king that moves onto the own rook castles.
  if (steps !== null && /^e([18])[ah]\1$/.test(steps[1]! + steps[2]!) && placed.some((p) => p.square === steps[1] && p.man === "king")) return null;
  if (steps !== null)
    return found((one) => one.kind === "step" && one.from === steps[1] && one.to === steps[2] && becomes(one, steps[3]));
  const named = /^([KQRBNkqrn])?([a-h])?([1-8])?[x-]?([a-h][1-8])(?:=?([QRBN]))?$/.exec(bare);
  if (named === null) return null;
  const [, letter, file, rank, to, promotion] = named;
  const man = letter === undefined ? "pawn" : manOf(letter);
  const fits = found(
    (one) =>
      one.kind === "step" &&
      one.to === to &&
      becomes(one, promotion) &&
      (file === undefined || one.from.startsWith(file)) &&
      (rank === undefined || one.from.endsWith(rank)) &&
      placed.some((p) => p.square === one.from && p.man === man),
  );
  // A lower-case `b` may be a bishop, and a king's move onto the own rook may be castling: the club reads such texts.
  const unsure = (letter === undefined && file === "b") || (man === "king" && /^[ah][18]$/.test(to!));
  return fits.length === 0 && unsure ? null : fits;
}

/** The tries among which the player must choose a promotion piece; empty if the text names the piece or no pawn is promoted. */
export function leftOpen(text: string, found: readonly string[]): string[] {
  const all = found.map(readTry);
  const first = all[0];
  const named = /([QRBN]|[1-8]=?[qrbnk])[+#!?]*$/.test(text.trim());
  if (named || first?.kind !== "step") return [];
  const alike = (one: Attempt | null): boolean =>
    one?.kind === "step" && one.from === first.from && one.to === first.to && one.promotion !== null;
  if (!all.every(alike)) return [];
  return between(found, first.from, first.to);
}

export type Question =
  | { kind: "square"; square: Square }
  /** The letter of a file or the digit of a rank. */
  | { kind: "line"; line: string }
  | { kind: "men"; man: Man | null }
  | { kind: "call" | "clocks" | "opponent" | "game" | "help" };

/**
 * Reads a typed question: `s e4` or `?e4` (what stands there), `s a` and `s 4` (on a file, on a rank), `p n` (where the
 * knights are), `p` (all men), `l` or `t` (the last call), `c` (the clocks), `o` (the opponent), `i` (this game), `help`
 * or `?` (the questions). Returns null if the text is no question.
 */
export function questionOf(text: string): Question | null {
  const bare = text.trim().toLowerCase();
  const square = /^(?:\?\s*|s\s+)([a-h][1-8])$/.exec(bare)?.[1];
  if (square !== undefined) return { kind: "square", square };
  const line = /^s\s+([a-h1-8])$/.exec(bare)?.[1];
  if (line !== undefined) return { kind: "line", line };
  const men = /^p(?:\s+([kqrbnp]))?$/.exec(bare);
  if (men !== null) return { kind: "men", man: men[1] === undefined ? null : manOf(men[1])! };
  const kinds = { t: "call", l: "call", c: "clocks", o: "opponent", i: "game", help: "help", "?": "help" } as const;
  return Object.hasOwn(kinds, bare) ? { kind: kinds[bare as keyof typeof kinds] } : null;
}

/** Describes a try in words: `e2 to e4`. */
export function inWords(text: string): string {
  const attempt = readTry(text);
  if (attempt === null) return text;
  if (attempt.kind === "drop") return chess.dropped(attempt.man, attempt.to);
  return attempt.promotion === null ? chess.step(attempt.from, attempt.to) : chess.promoted(attempt.from, attempt.to, attempt.promotion);
}
