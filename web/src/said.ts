// What the referee says to one listener, without what would be said twice.

import type { Choices } from "./words/calls";
import { isNone, sentenceFor } from "./words/heard";
import type { HeardJson, Side } from "./wire";

/** A sentence of the referee. */
export interface Sentence {
  text: string;
  /** What it tells if it tells nothing new: whose turn it is, or that there is no pawn try. Such a sentence is drawn smaller. */
  stale: "turn" | "none" | null;
}

/** Who listens; see `Listener` of the catalogue. */
export interface Ears {
  seat: Side | null;
  choices: Choices;
  /** The names of the listener's own attempts. */
  names?: ReadonlyMap<string, string> | undefined;
}

type Lost = Extract<HeardJson, { kind: "lost" }>;
type Capture = Extract<HeardJson, { kind: "capture" }>;

/**
 * Whether an announced capture repeats the loss of the own man. It does if both name the same square
 * and the same kind of man.
 */
function repeats({ square, man, en_passant }: Capture, lost: Lost): boolean {
  const kind = lost.man === "pawn" ? "pawn" : "piece";
  return square === lost.square && !en_passant && (man === null || man === kind || man === lost.man);
}

/** The sentences of a hearing, one for each thing that is said. */
export function saidTo(heard: readonly HeardJson[], { seat, choices, names }: Ears): Sentence[] {
  const lost = heard.filter((one) => one.kind === "lost");
  const toMove = heard.find((one) => one.kind === "turn")?.to_move ?? null;
  const listener = { seat, choices, toMove, nameOf: (attempt: string) => names?.get(attempt) ?? attempt };
  return heard
    .filter((told) => !(told.kind === "capture" && lost.some((one) => repeats(told, one))))
    .map((told) => ({ text: sentenceFor(told, listener), stale: told.kind === "turn" ? ("turn" as const) : told.kind === "tries" && isNone(told) ? ("none" as const) : null }))
    .filter(({ text }) => text !== "");
}

/** Sentences as one text. */
export const joined = (said: readonly Sentence[]): string => said.map(({ text }) => text).join(" ");
