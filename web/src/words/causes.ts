// Why the referee refused an attempt, as far as its player can know.

import { t } from "../language.svelte";
import { capital } from "../men";
import type { CauseJson } from "../wire";
import type { Choices } from "./calls";

/** What the player could have known: nonsense under the rules. */
const KNOWN: ReadonlySet<CauseJson> = new Set(["impossible", "no-such-pawn-try", "not-an-answer", "pawn-capture-due", "tries-spent", "repeated"]);
/** What the player could not have known. */
const UNSEEN: ReadonlySet<CauseJson> = new Set(["own-men", "castling", "pawn-capture", "drop", "king-there", "check", "way"]);

/** The cause in a few words. */
export function shortCause(cause: CauseJson, { announced_check, obligation }: Choices): string {
  if (UNSEEN.has(cause)) return `${capital(t(`cause-unseen-${cause}`))}.`;
  if (cause === "not-an-answer" && announced_check === "castling") return t("cause-out-of-check");
  if (cause === "pawn-capture-due") return obligation === "make" ? t("cause-must-make") : t("cause-must-try");
  return t(`cause-known-${cause}`);
}

/** Who else hears of the refusal; empty if the rules do not say. */
function heardBy(cause: CauseJson, { no_heard, nonsense_heard }: Choices): string {
  if (UNSEEN.has(cause)) return no_heard === "both" ? t("cause-heard-by-all") : t("cause-heard-by-nobody");
  return KNOWN.has(cause) && nonsense_heard === "both" ? t("cause-heard-by-all") : "";
}

/** The cause in sentences; `turn`: with the sentence that the turn has not changed. */
export function causeText(cause: CauseJson, choices: Choices, turn = true): string {
  const why = UNSEEN.has(cause) ? t("cause-illegal", { why: t(`cause-unseen-${cause}`) }) : shortCause(cause, choices);
  return [why, turn ? t("cause-your-turn") : "", heardBy(cause, choices)].filter((text) => text !== "").join(" ");
}

/** Whether the sentences of a cause say who else hears of the refusal. */
export const saysWhoHears = (cause: CauseJson, choices: Choices): boolean => heardBy(cause, choices) !== "";
