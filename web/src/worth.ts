// What the turns of a finished game were worth.

import type { LineJson, TurnWorthJson } from "./wire";

/** Values beyond this number of hundredths of a pawn are drawn at the edge. */
const EDGE = 1000;

/** The step before the first attempt of a turn, which comes after this number of completed moves. */
export function stepBefore(lines: readonly LineJson[], moves: number): number {
  let step = 0;
  for (let made = 0; made < moves && step < lines.length; step++) {
    if (lines[step]?.answer === "moved") made++;
  }
  return step;
}

/** The path of the curve of values, from left to right. */
export function valueCurve(turns: readonly TurnWorthJson[], width: number, height: number): string {
  const points = turns.flatMap(({ value }, n) => (value === null ? [] : [{ n, value: Math.max(-EDGE, Math.min(EDGE, value)) }]));
  const x = (n: number): string => ((n / Math.max(1, turns.length - 1)) * width).toFixed(1);
  const y = (value: number): string => (height / 2 - (value / EDGE) * (height / 2 - 2)).toFixed(1);
  return points.map(({ n, value }, at) => `${at === 0 ? "M" : "L"}${x(n)} ${y(value)}`).join("");
}
