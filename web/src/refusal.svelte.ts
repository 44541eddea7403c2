// Why the club refused a request. The sentences are loaded with the first refusal.

import { site } from "./words";
import type { Refusal } from "./words/refusals";

let sentences: typeof import("./words/refusals") | null = $state.raw(null);

/** Loads the sentences. If the club cannot be reached, the next refusal tries again. */
export async function loadRefusals(): Promise<void> {
  sentences ??= await import("./words/refusals").catch(() => null);
}

/** A refusal in words; empty until the sentences are loaded. */
export function refusalText(refusal: Refusal): string {
  const { code } = refusal;
  if (code === "offline") return site.noClub;
  if (sentences === null) void loadRefusals();
  return sentences?.refusalText({ ...refusal, code }) ?? "";
}
