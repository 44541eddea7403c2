// Reads the tries that the server lists, for moves by mouse and by touch.
// The server decides which tries are worth making.

import { t } from "./language.svelte";
import type { Man } from "./wire";
import { manOf, type Square } from "./men";

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

/** The tries of one promotion, the queen first; empty if the tries are not all the same step to the last rank. */
export function promotionOf(tries: readonly string[]): string[] {
  const first = readTry(tries[0] ?? "");
  if (first?.kind !== "step") return [];
  const same = (text: string): boolean => text.startsWith(first.from + first.to) && text.length === 5;
  return tries.length > 1 && tries.every(same) ? between(tries, first.from, first.to) : [];
}

/** Describes a try in words: `e2 to e4`. */
export function inWords(text: string): string {
  const attempt = readTry(text);
  if (attempt === null) return text;
  if (attempt.kind === "drop") return t("chess-dropped", { man: attempt.man, to: attempt.to });
  return attempt.promotion === null ? t("chess-step", { from: attempt.from, to: attempt.to }) : t("chess-promoted", { from: attempt.from, to: attempt.to, man: attempt.promotion });
}
