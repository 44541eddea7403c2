// What was heard, sorted by turn, for the log on the page.

import { turnIn } from "./turn";
import { t } from "./language.svelte";
import type { HeardJson, HearingJson, Side } from "./wire";

export interface Turn {
  /** The side to move. Null before the first turn and after the end. */
  side: Side | null;
  /** The number of the turn of this side, from 1. */
  number: number;
  hearings: HearingJson[];
}

/**
 * Sorts hearings by turn. Every listener hears every change of turn. So the numbers of turns reveal
 * nothing that the listener has not heard.
 */
export function turns(hearings: readonly HearingJson[]): Turn[] {
  const counts: Record<Side, number> = { white: 0, black: 0 };
  const all: Turn[] = [{ side: null, number: 0, hearings: [] }];
  for (const hearing of hearings) {
    all.at(-1)!.hearings.push(hearing);
    const next = turnIn(hearing.heard);
    if (next === null) continue;
    if (next !== "over") counts[next] += 1;
    all.push({ side: next === "over" ? null : next, number: next === "over" ? 0 : counts[next], hearings: [] });
  }
  return all.filter((turn) => turn.hearings.length > 0 || turn.side !== null);
}

/** The heading of a turn. */
export function heading(turn: Turn, seat: Side | null): string {
  if (turn.side === null) return turn.number === 0 ? t("game-log-start") : "";
  return turn.side === seat ? t("game-log-your-turn", { n: turn.number }) : t("game-log-turn", { side: turn.side, n: turn.number });
}

/** Whether the seat to move hears that it has a pawn try. */
export function announcesTry(told: HeardJson, seat: Side | null): boolean {
  if (told.kind === "any") return told.answer && told.by === seat;
  return told.kind === "tries" && (told.any === true || (told.count ?? 0) > 0 || (told.squares?.length ?? 0) + (told.double?.length ?? 0) > 0);
}

export type Tone = "plain" | "no" | "check" | "capture" | "over";

/** The style of a hearing. The style gives no information that the words do not give. */
export function toneOf(heard: readonly HeardJson[]): Tone {
  const kinds = new Set(heard.map((told) => told.kind));
  if (kinds.has("over")) return "over";
  if (kinds.has("no") || kinds.has("nonsense") || kinds.has("repeat-no")) return "no";
  if (kinds.has("check")) return "check";
  if (kinds.has("capture") || kinds.has("lost")) return "capture";
  return "plain";
}

/** A step of a finished game, in words: `White: Nc3, no`. */
export function stepText(by: Side | null, attempt: string, answer: string): string {
  const told = answer === "" ? attempt : t("review-step", { attempt, answer });
  return by === null ? told : t("review-by", { side: by, told });
}
