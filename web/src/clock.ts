// Clocks as the page shows them. Only the server's clocks count; the page estimates the time since their last update.

import { locale, t } from "./language.svelte";
import type { ClocksJson, Side, TimeControlJson } from "./wire";

/** The time that a side has left, in ms. `now` is the server's time. */
export function leftOf(clocks: ClocksJson, side: Side, now: number): number {
  const spent = clocks.running === side ? Math.max(0, now - clocks.at) : 0;
  return Math.max(0, clocks[side] - spent);
}

const HOUR = 3_600_000;

/** Formats a time as `3 d 4 h` from two days on, as `1:02:03` or `2:03`; with tenths below twenty seconds. */
export function clockText(millis: number): string {
  if (millis >= 48 * HOUR) return t("chess-clock-left", { days: Math.floor(millis / (24 * HOUR)), hours: Math.floor(millis / HOUR) % 24 });
  if (millis < 20_000) {
    const tenths = Math.floor(millis / 100);
    return `0:${String(Math.floor(tenths / 10)).padStart(2, "0")}.${tenths % 10}`;
  }
  const seconds = Math.ceil(millis / 1000);
  const two = (n: number): string => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Returns the later of two states of the clocks. */
export function latest(a: ClocksJson | null, b: ClocksJson | null): ClocksJson | null {
  if (a === null || b === null) return a ?? b;
  return a.at > b.at ? a : b;
}

function spanText(seconds: number): string {
  if (seconds % 86_400 === 0) return t("chess-days", { count: seconds / 86_400 });
  if (seconds % 3600 === 0) return t("chess-hours", { count: seconds / 3600 });
  return seconds % 60 === 0 ? t("chess-minutes", { count: seconds / 60 }) : t("chess-seconds", { count: seconds });
}

/** A time, rounded up. */
export function waitText(seconds: number): string {
  if (seconds < 120) return t("chess-seconds", { count: seconds });
  if (seconds < 7200) return t("chess-minutes", { count: Math.ceil(seconds / 60) });
  return seconds < 172_800 ? t("chess-hours", { count: Math.ceil(seconds / 3600) }) : t("chess-days", { count: Math.ceil(seconds / 86_400) });
}

/** Describes a time control: `10 min + 5 s per move`, without a place for a new line. */
export function timeText(time: TimeControlJson): string {
  switch (time.kind) {
    case "fischer":
      return t("chess-clock-fischer", { initial: spanText(time.initial), increment: spanText(time.increment) }).replaceAll(" ", "\u00a0");
    case "plain":
      return t("chess-clock-plain", { initial: spanText(time.initial) });
    case "days": {
      const days = (count: number): string => t("chess-days", { count });
      const { initial, increment, cap } = time;
      return initial === cap && increment === cap ? t("chess-clock-each", { count: cap }) : t("chess-clock-days", { initial: days(initial), increment: days(increment), cap: days(cap) });
    }
    case "unlimited":
      return t("chess-clock-unlimited");
  }
}

/** Formats a date: `22 Nov 2026`. */
export const dayText = (millis: number): string =>
  new Date(millis).toLocaleDateString(locale(), { day: "numeric", month: "short", year: "numeric" });

/** Formats a moment: `22 Nov 2026, 14:05`. */
export const momentText = (millis: number): string =>
  new Date(millis).toLocaleString(locale(), { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });
