// Prepares the belief of a player of a finished game for drawing. Contains only pure functions, which pure.test.ts tests.

import { ORDER, type Square } from "./men";
import { locale, t } from "./language.svelte";
import type { BeliefJson, Man, MomentJson, Side, LineJson } from "./wire";

/** What a heat map shows: one kind of man, or all men. */
export type Shown = Man | "any";
export const SHOWN: readonly Shown[] = ["any", ...ORDER];

/**
 * Returns, for each step, the index of the latest moment. Step 0 is the start. A new moment begins
 * at each step at which the player heard something.
 */
export function momentsByStep(steps: readonly LineJson[], seat: Side): number[] {
  let heard = -1;
  return steps.map((step) => {
    if (step[seat].length > 0) heard += 1;
    return Math.max(0, heard);
  });
}

/** The moment with this index; null if it was not computed. */
export const momentAt = (belief: BeliefJson, index: number | undefined): MomentJson | null =>
  (index === undefined ? undefined : belief.moments[index]) ?? null;

/** The largest number that is shown. Larger numbers are estimates that are too inaccurate. */
const MOST = 1e9;

/** Formats a number; an estimate is rounded to two significant digits. */
function figure(n: number, estimate: boolean): string {
  if (!estimate || n < 100) return n.toLocaleString(locale());
  const unit = 10 ** (Math.floor(Math.log10(n)) - 1);
  return (Math.round(n / unit) * unit).toLocaleString(locale());
}

/** A power of ten on the scale of the graph: `1,000`, `10 thousand`. */
export const tensText = (n: number): string => (10 ** n).toLocaleString(locale(), n < 4 ? {} : { notation: "compact", compactDisplay: "long" });

/** The number of possible positions, in words. */
export function positionsOf({ positions, regime }: MomentJson): string {
  if (positions === null) return t("belief-unknown");
  if (positions > MOST) return t("belief-more-than", { most: MOST.toLocaleString(locale()) });
  return t("belief-count", { regime, figure: figure(positions, regime === "sampled"), one: positions === 1 });
}

/** The line of a mate in words. */
export const lineText = (line: readonly string[]): string => line.map((turn) => turn.split(/, if refused /).join(t("belief-if-refused"))).join(t("belief-then"));

/** Sentences about a mate that the player could force, and about a mate that the player missed. */
export function matesOf({ mate, missed }: MomentJson): string[] {
  const told: string[] = [];
  if (missed !== null) told.push(t("belief-missed", { moves: missed }));
  if (mate !== null) told.push(t("belief-mate", { moves: mate.moves, line: lineText(mate.line) }));
  return told;
}

/** The steps at which the review reports a missed mate: the first step of each moment with a missed mate. */
export function missedAt(belief: BeliefJson, indexes: readonly number[]): number[] {
  const first = (step: number): boolean => step === 0 || indexes[step] !== indexes[step - 1];
  const missed = (step: number): boolean => (momentAt(belief, indexes[step])?.missed ?? null) !== null;
  return indexes.map((_, step) => step).filter((step) => first(step) && missed(step));
}

/** A heat map on the board of a player. */
export interface Heat {
  side: Side;
  shown: Shown;
  squares: ReadonlyMap<Square, string>;
}

/** The probabilities in the legend of a heat map, in per cent. */
export const SCALE: readonly number[] = [0, 20, 40, 60, 80, 100];

/** The CSS class of a square by its probability in per cent: one of eleven shades. */
export const shade = (percent: number): string => `heat heat-${Math.round(percent / 10)}`;

/** The squares of a heat map with their CSS classes. */
export function heatOf(moment: MomentJson, shown: Shown): Map<Square, string> {
  return new Map(Object.entries(moment.heat[shown]).map(([square, percent]) => [square, shade(percent ?? 0)]));
}

/** The most probable squares in words: `e8 60 %, d8 40 %`. */
export function likeliest(moment: MomentJson, shown: Shown, most = 8): string {
  const all = Object.entries(moment.heat[shown]).map(([square, percent]) => ({ square, percent: percent ?? 0 }));
  all.sort((one, other) => other.percent - one.percent || one.square.localeCompare(other.square));
  const first = all.slice(0, most).map(({ square, percent }) => t("belief-percent", { square, percent: percent === 0 ? t("belief-under") : percent === 99 ? t("belief-over") : String(percent) }));
  if (first.length === 0) return t("belief-none-left");
  const more = all.length - first.length;
  return first.join(", ") + (more > 0 ? t("belief-and-more", { more }) : "");
}

/** A number limited to the range of the graph. */
export const bounded = (n: number): number => Math.min(MOST, Math.max(1, n));

/** The SVG path of a graph with one number for each step, on a logarithmic scale with `most` powers of ten. Where a number is null, the path has a gap. */
export function curve(numbers: readonly (number | null)[], width: number, height: number, most: number): string {
  const last = Math.max(1, numbers.length - 1);
  let path = "";
  let pen = false;
  let above = 0;
  numbers.forEach((n, step) => {
    if (n === null) {
      pen = false;
      return;
    }
    const x = (step / last) * width;
    const y = height - (Math.log10(bounded(n)) / most) * height;
    // A number is valid until the player hears something again, so the line is horizontal until
    // then.
    path += pen ? `H${x.toFixed(1)}` + (y === above ? "" : `V${y.toFixed(1)}`) : `M${x.toFixed(1)} ${y.toFixed(1)}`;
    pen = true;
    above = y;
  });
  return path;
}

/** The number of powers of ten on the scale of the graph: enough for the largest number, at least one. */
export const tens = (numbers: readonly (number | null)[]): number =>
  Math.max(1, Math.ceil(Math.log10(Math.max(1, ...numbers.map((n) => bounded(n ?? 1))))));
