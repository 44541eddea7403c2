// Evenings: what the page says about one, and what the user can do.

import * as api from "./api";
import { momentText, timeText } from "./clock";
import { club } from "./club.svelte";
import { locale, t } from "./language.svelte";
import { titleOf } from "./titles";
import type { EveningJson, EveningRowJson, EveningsJson, EveningStatus, NewEveningJson } from "./wire";

export const evenings = (): Promise<EveningsJson> => api.get("/evenings");
export const evening = (id: string): Promise<EveningJson> => api.get(`/evenings/${api.part(id)}`);
export const makeEvening = (evening: NewEveningJson): Promise<EveningRowJson> => api.post("/evenings", evening);
/** Joins an evening, or asks for the next game of it; a visitor becomes a guest. */
export async function join(id: string): Promise<void> {
  await club.somebody();
  await api.post(`/evenings/${api.part(id)}/join`);
  try {
    sessionStorage.setItem("evening", id);
  } catch {
    // The browser keeps nothing.
  }
}

/** The evening whose next game the user has asked for on another screen. */
export const next: { of: string | null } = { of: null };

const MINUTE = 60_000;

/** A time from now in words: `in 12 minutes`. */
export function inText(at: number, now: number): string {
  const minutes = Math.max(0, Math.ceil((at - now) / MINUTE));
  const words = new Intl.RelativeTimeFormat(locale());
  if (minutes < 120) return words.format(minutes, "minute");
  return minutes < 2880 ? words.format(Math.round(minutes / 60), "hour") : words.format(Math.round(minutes / 1440), "day");
}

/** The status now. The club says the end itself. */
export function statusOf({ status, begins, minutes }: EveningRowJson, now: number): EveningStatus {
  if (status === "over" || now < begins) return status;
  return now < begins + minutes * MINUTE ? "running" : "ending";
}

/** The status in words, with the time that is left. */
export function standingOf(evening: EveningRowJson, now: number): string {
  const status = statusOf(evening, now);
  return t("evening-status", { status, in: inText(status === "planned" ? evening.begins : evening.begins + evening.minutes * MINUTE, now) });
}

/** When, how long, and what is played. */
export const factsOf = ({ begins, kind, minutes, terms }: EveningRowJson): string =>
  [momentText(begins), t("evening-kind", { kind }), t("evening-length", { minutes }), titleOf(terms.rules), timeText(terms.time), ...(terms.rated ? [t("lobby-terms-rated")] : [])].join(" · ");

export const leaveEvening = (id: string): Promise<void> => api.post(`/evenings/${api.part(id)}/leave`);
export const cancelEvening = (id: string): Promise<void> => api.remove(`/evenings/${api.part(id)}`);
export const eveningCalendar = (id: string): string => `/api/evenings/${api.part(id)}/evening.ics`;
