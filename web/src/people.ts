// Ratings, curves and searches: pure functions.

import type { PersonJson, RatingChangeJson, ScoreJson } from "./wire";

/** The families of rulesets (`docs/rules/README.md`). */
export const FAMILIES = ["wild16", "rand", "berkeley", "ks", "crazykrieg"] as const;
export const SIDES = ["people", "programs"] as const;

/** A change of a rating; `by` is null if the rating before it is not known. */
export interface Change extends RatingChangeJson {
  by: number | null;
}
export const changesOf = (changes: readonly RatingChangeJson[]): Change[] =>
  changes.map((one, at) => ({ ...one, by: at === 0 ? null : one.points - changes[at - 1]!.points }));

/** What a game did to a rating of a player; undefined if it changed none. */
export function changeBy(game: string, { ratings }: Pick<PersonJson, "ratings">): (Change & { family: string }) | undefined {
  const all = ratings.flatMap(({ family, changes }) => changesOf(changes).map((one) => ({ ...one, family })));
  return all.find((one) => one.game === game);
}

/** A score in per cent of the points, and the half-width of Wilson's 95 % interval (1.96 standard deviations). */
export function percentOf({ won, drawn, lost }: ScoreJson): { percent: number; range: number } {
  const games = won + drawn + lost;
  const share = (won + drawn / 2) / games;
  const z2 = 1.96 ** 2;
  const half = Math.sqrt(z2 * ((share * (1 - share)) / games + z2 / (4 * games ** 2))) / (1 + z2 / games);
  return { percent: Math.round(100 * share), range: Math.round(100 * half) };
}

/** The points of a curve in a box of this size, and the ratings at its lower and upper edge. */
export function curveOf(ratings: readonly number[], width: number, height: number): { low: number; high: number; points: { x: number; y: number }[] } {
  const STEP = 50;
  const low = Math.floor(Math.min(...ratings) / STEP) * STEP;
  const high = Math.max(low + 2 * STEP, Math.ceil(Math.max(...ratings) / STEP) * STEP);
  const across = (at: number): number => (ratings.length === 1 ? width / 2 : (width * at) / (ratings.length - 1));
  return { low, high, points: ratings.map((one, at) => ({ x: across(at), y: (height * (high - one)) / (high - low) })) };
}

/** What is searched in the finished games. `player` is `*` for everybody, and empty for the user; days are as `2026-11-29`. */
export interface Search {
  player: string;
  opponent: string;
  ruleset: string;
  result: string;
  since: string;
  until: string;
}
const KEYS = ["player", "opponent", "ruleset", "result", "since", "until"] as const;

/** Reads the query of the page's address. */
export function searchOf(query: string): Search {
  const found = new URLSearchParams(query);
  return Object.fromEntries(KEYS.map((key) => [key, found.get(key) ?? ""])) as unknown as Search;
}

const queryOf = (pairs: [string, string][]): string => {
  const filled = new URLSearchParams(pairs.filter(([, value]) => value !== "")).toString();
  return filled === "" ? "" : `?${filled}`;
};
/** The address of the page with the games that are searched. */
export const gamesPath = (search: Partial<Search>): string => `/games${queryOf(KEYS.map((key) => [key, search[key] ?? ""]))}`;

/** The first moment of a day on this device, in ms; `days` later. Empty if the day is not a date. */
function momentOf(day: string, days: number): string {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + days);
  return Number.isNaN(date.getTime()) ? "" : String(date.getTime());
}

/** The query for the club. `before` is the place of an older page. */
export function clubQuery(search: Search, before: number | null): string {
  const everybody = search.player === "*";
  return queryOf([
    ...KEYS.slice(0, 4).map((key): [string, string] => [key, everybody && key === "opponent" ? "" : search[key]]),
    ["since", momentOf(search.since, 0)],
    ["until", momentOf(search.until, 1)],
    ["before", before === null ? "" : String(before)],
  ]);
}
