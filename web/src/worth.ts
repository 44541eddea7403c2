// What the turns of a finished game were worth.

import { t } from "./language.svelte";
import { readBoard } from "./men";
import type { LapseJson, LineJson, Man, OddsJson, RetriedJson, Side, TurnWorthJson } from "./wire";

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

/** The path of a curve of values, one for each turn, from left to right. */
export function valueCurve(values: readonly (number | null)[], width: number, height: number): string {
  const points = values.flatMap((value, n) => (value === null ? [] : [{ n, value: Math.max(-EDGE, Math.min(EDGE, value)) }]));
  const x = (n: number): string => ((n / Math.max(1, values.length - 1)) * width).toFixed(1);
  const y = (value: number): string => (height / 2 - (value / EDGE) * (height / 2 - 2)).toFixed(1);
  return points.map(({ n, value }, at) => `${at === 0 ? "M" : "L"}${x(n)} ${y(value)}`).join("");
}

const WORTH: Readonly<Record<Man, number>> = { king: 0, queen: 900, rook: 500, bishop: 300, knight: 300, pawn: 100 };
/** By how much a side is ahead in men on the board, in hundredths of a pawn. */
export const materialOf = (fen: string, of: Side): number => readBoard(fen).reduce((sum, { man, side }) => sum + (side === of ? WORTH[man] : -WORTH[man]), 0);

/** A value in pawns. */
export const pawns = (hundredths: number | null): string => ((hundredths ?? 0) / 100).toFixed(1);
export const costOf = ({ value, best_value }: TurnWorthJson): string => pawns((best_value ?? 0) - (value ?? 0));

type NameOf = (attempt: string) => string;

/** What a turn gave away. */
export function toldOf(one: TurnWorthJson, nameOf: NameOf): string {
  const values = { made: nameOf(one.made), best: one.best === null ? "" : nameOf(one.best) };
  if (one.forced_mate) return t("review-turns-mate", values);
  return t("review-turns-cost", { ...values, cost: costOf(one), legal: one.legal ?? 100 });
}

/** What was wrong with an attempt, one sentence each. */
export function lapsesOf({ made, best, lapses }: TurnWorthJson, nameOf: NameOf): string[] {
  const values = { made: nameOf(made), best: best === null ? "" : nameOf(best) };
  return lapses.map((one: LapseJson) => t(`mistake-lapse-${one.kind}`, { ...values, ...one }));
}

/** What an attempt would have done in the positions that were possible, one sentence each. */
function happens(made: string, { played, captures, retaken, exposed, checks, mates, draws }: OddsJson): string[] {
  if (made === "any") return [t("mistake-retry-any", { played })];
  const all = [t("mistake-retry-played", { played, refused: 100 - played })];
  if (captures > 0) all.push(t("mistake-retry-captures", { captures, retaken }));
  else if (exposed > 0) all.push(t("mistake-retry-exposed", { exposed }));
  if (mates > 0) all.push(t("mistake-retry-mates", { mates }));
  else if (checks > 0) all.push(t("mistake-retry-checks", { checks }));
  if (draws > 0) all.push(t("mistake-retry-draws", { draws }));
  return all;
}

/** What another attempt would have done, and what was wrong with it, one sentence each. */
export const happensOf = ({ worth, odds }: RetriedJson, nameOf: NameOf): string[] => [...happens(worth.made, odds), ...lapsesOf(worth, nameOf)];

/** What another attempt was worth, and what was best. */
export function verdictOf({ worth }: RetriedJson, nameOf: NameOf): string {
  const { made, best, value, best_value, forced_mate, ask_any } = worth;
  const values = { made: nameOf(made), best: best === null ? "" : nameOf(best) };
  if (forced_mate) return t(made === best ? "mistake-retry-mating" : "mistake-retry-mate", values);
  const told = value === null ? [] : [t("mistake-retry-worth", { value: pawns(value), most: pawns(best_value) })];
  if (best !== null && ask_any) told.push(t("mistake-retry-best-any", values));
  else if (best !== null) told.push(t(made === best ? "mistake-retry-is-best" : "mistake-retry-best", values));
  return told.join(" ");
}

/** The address of the review of a game: that of the game, or of the study that the address of the page names. */
export function reviewOf(id: string): string {
  const study = new URLSearchParams(location.search).get("study");
  return study === null ? `/game/${id}` : `/study/${study}`;
}
