// Why the club refused a request.

import { load, oneOf, t } from "../language.svelte";
import type { RefusalCode, RefusedJson } from "../wire";

/** A refusal of the club, or of the page itself if the club cannot be reached. */
export type Refusal = Omit<RefusedJson, "refused"> & { code: RefusalCode | "offline" };

/** Loads the sentences. If the club cannot be reached, the next refusal tries again. */
export const loadRefusals = (): Promise<void> => load("refusal").catch(() => {});

/** A refusal in words; empty until the sentences are loaded. */
export function refusalText({ code, reason, args = {}, retry_after_ms }: Refusal): string {
  if (code === "offline") return t("site-no-club");
  const seconds = retry_after_ms == null ? {} : { seconds: Math.ceil(retry_after_ms / 1000) };
  const values = { ...args, ...seconds, ...(args.fits === undefined ? {} : { fits: oneOf(args.fits.split(" ")) }) };
  const fault = reason === "ruleset-fault" ? t(`refusal-fault-${args.fault}`, values) : "";
  if (fault !== "") return args.line === undefined ? fault : t("refusal-place", { ...values, fault });
  return t(`refusal-${reason}`, values) || (code === "too-many" && retry_after_ms != null ? t("refusal-wait", values) : t(`refusal-code-${code}`));
}
