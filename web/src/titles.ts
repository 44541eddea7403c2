import { idOf, t } from "./language.svelte";
import type { RulesetJson } from "./wire";

/** The title of a ruleset. A custom ruleset has the title that its author gave it; it is known when the club has read the file. */
export const titleOf = (id: string, custom: Pick<RulesetJson, "title"> | null = null): string => t(`ruleset-${idOf(id)}`) || (custom?.title ?? id);
