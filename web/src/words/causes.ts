// Why the referee refused an attempt, as far as its player can know.

import type { CauseJson } from "../wire";
import type { Choices } from "./calls";

/** What the player could have known: nonsense under the rules. */
const NONSENSE: Partial<Record<CauseJson, (choices: Choices) => string>> = {
  impossible: () => "Your own men cannot do that.",
  "no-such-pawn-try": () => "No such pawn try was announced.",
  "not-an-answer": ({ announced_check }) => (announced_check === "castling" ? "You cannot castle out of check." : "That cannot answer the check."),
  "pawn-capture-due": ({ obligation }) => (obligation === "make" ? "You must make a pawn capture." : "You must try a pawn capture."),
  "tries-spent": () => "Your three pawn captures of this turn are spent.",
  repeated: () => "That was refused this turn already.",
};
/** What the player could not have known. */
const UNSEEN: Partial<Record<CauseJson, string>> = {
  "own-men": "your own men cannot do that",
  castling: "an unseen man is in the way, or your king would castle out of, through or into check",
  "pawn-capture": "there is nothing that your pawn could capture, or your king would be in check",
  drop: "an unseen man is there, or your king would be in check",
  "king-there": "your king would be in check there",
  check: "your king would be in check",
  way: "an unseen man is in the way, or your king would be in check",
};
const ALL = "Everybody hears that a try was refused, but not which one.";
const NOBODY = "Nobody else hears of this try.";
const TURN = "It is still your turn.";
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The cause in a few words. */
export function shortCause(cause: CauseJson, choices: Choices): string {
  if (cause === "no-pawn") return "You have no pawn that could capture.";
  if (cause === "nonsense") return "You could have known that this try cannot be played.";
  return NONSENSE[cause]?.(choices) ?? `${capital(UNSEEN[cause] ?? "")}.`;
}

/** Who else hears of the refusal; empty if the rules do not say. */
function heardBy(cause: CauseJson, { no_heard, nonsense_heard }: Choices): string {
  if (UNSEEN[cause] !== undefined) return no_heard === "both" ? ALL : NOBODY;
  return NONSENSE[cause] !== undefined && nonsense_heard === "both" ? ALL : "";
}

/** The cause in sentences; `turn`: with the sentence that the turn has not changed. */
export function causeText(cause: CauseJson, choices: Choices, turn = true): string {
  const unseen = UNSEEN[cause];
  const why = unseen === undefined ? shortCause(cause, choices) : `This try is illegal in the actual position: ${unseen}.`;
  return [why, turn ? TURN : "", heardBy(cause, choices)].filter((text) => text !== "").join(" ");
}

/** Whether the sentences of a cause say who else hears of the refusal. */
export const saysWhoHears = (cause: CauseJson, choices: Choices): boolean => heardBy(cause, choices) !== "";
