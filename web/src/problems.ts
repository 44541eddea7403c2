// The club's problems; which of them the user has solved, and the streak of problems of the day, kept on this device.

import { get, part, post } from "./api";
import type { ProblemJson, ProblemRatingJson, ProblemsJson, SolutionJson } from "./wire";

export const listed = (query: string): Promise<ProblemsJson> => get(`/problems${query}`);
/** The query of attempts that were made, and of a new one. */
export const queryOf = (attempts: readonly string[] = [], attempt?: string): URLSearchParams =>
  new URLSearchParams({ attempts: attempts.join(), ...(attempt === undefined ? {} : { try: attempt }) });
/** A problem after some attempts, and after a new one. */
export const tried = (id: string, attempts?: readonly string[], attempt?: string): Promise<ProblemJson> => get(`/problems/${part(id)}?${queryOf(attempts, attempt)}`);
export const solution = (id: string, attempts: readonly string[]): Promise<SolutionJson> =>
  get(`/problems/${part(id)}/solution?${queryOf(attempts)}`);
export const rating = (id: string): Promise<ProblemRatingJson> => get(`/problems/${part(id)}/rating`);
/** Counts the first result of an account at a problem. */
export const rate = (id: string, solved: boolean): Promise<ProblemRatingJson> => post(`/problems/${part(id)}/rating`, { solved });
/** The men in a FEN. */
export const boardOf = (fen: string): string => fen.split(" ")[0] ?? "";

interface Progress {
  solved: string[];
  /** The last day whose problem was solved, as a number of days since 1970, and how many days without a gap lead to it. */
  day: number;
  streak: number;
}
const KEY = "problems";

export function progress(): Progress {
  const none = { solved: [], day: 0, streak: 0 };
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Progress>;
    return { ...none, ...kept, solved: Array.isArray(kept.solved) ? kept.solved : [] };
  } catch {
    return none;
  }
}

/** The streak on a day: a day that is not over may still be missing. */
export const streakOn = ({ day, streak }: Progress, today: number): number => (day >= today - 1 ? streak : 0);

/** What is kept after a problem was solved; `day` is null for a problem that is not that of the day. */
export function after(before: Progress, id: string, day: number | null): Progress {
  const solved = before.solved.includes(id) ? before.solved : [...before.solved, id];
  if (day === null || day <= before.day) return { ...before, solved };
  return { solved, day, streak: before.day === day - 1 ? before.streak + 1 : 1 };
}

export function keep(id: string, day: number | null): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(after(progress(), id, day)));
  } catch {
    // It cannot be stored.
  }
}

/** The day of today, as a number of days since 1970. */
export const today = (): number => Math.floor(Date.now() / 86_400_000);
