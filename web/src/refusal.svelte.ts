// Why the club refused a request.

import { load } from "./language.svelte";
import { t } from "./language.svelte";
import { refusalText as textOf, type Refusal } from "./words/refusals";

/** Loads the sentences. If the club cannot be reached, the next refusal tries again. */
export const loadRefusals = (): Promise<void> => load("refusal").catch(() => {});

/** A refusal in words; empty until the sentences are loaded. */
export const refusalText = (refusal: Refusal): string => (refusal.code === "offline" ? t("site-no-club") : textOf({ ...refusal, code: refusal.code }));
