// The user's settings on this device.

import { speak } from "./language.svelte";
import { languages, type LanguageId } from "./words/languages";
import type { Side } from "./wire";

/** The values of each setting that is a choice; the first is the default. */
export const CHOICES = {
  theme: ["auto", "light", "dark"],
  contrast: ["auto", "more"],
  /** How moves are written. */
  notation: ["san", "coordinates", "descriptive"],
  /** The language of the page: that of the browser, or another. */
  language: ["auto", ...(Object.keys(languages) as LanguageId[])],
  /** The colours of the board, and its size in the window. */
  board: ["green", "brown", "blue"],
  size: ["full", "large", "medium"],
  /** The set of men: drawn for this page, or by Colin M. L. Burnett (GPL 2 or later; chessground contains it). */
  men: ["umpire", "burnett"],
} as const;
export type Choice = keyof typeof CHOICES;
export type Notation = (typeof CHOICES.notation)[number];

export const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

export const write = (key: string, value: string): void => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The setting cannot be stored; it is in force until the page is closed.
  }
};

const chosen = <C extends Choice>(name: C): (typeof CHOICES)[C][number] => CHOICES[name].find((one) => one === read(name)) ?? CHOICES[name][0];

interface Settings extends Record<"sound" | "keys" | "confirm" | "knowsNo", boolean> {
  theme: (typeof CHOICES.theme)[number];
  contrast: (typeof CHOICES.contrast)[number];
  notation: Notation;
  language: "auto" | LanguageId;
  board: (typeof CHOICES.board)[number];
  size: (typeof CHOICES.size)[number];
  men: (typeof CHOICES.men)[number];
  volume: number;
}

export const settings: Settings = $state({
  theme: chosen("theme"),
  contrast: chosen("contrast"),
  notation: chosen("notation"),
  language: chosen("language"),
  board: chosen("board"),
  size: chosen("size"),
  men: chosen("men"),
  sound: read("sound") !== "off",
  /** From 0 to 1. */
  volume: Math.min(1, Math.max(0, Number(read("volume") ?? 1) || 0)),
  /** Whether single keys are commands at the table. */
  keys: read("keys") !== "off",
  /** Whether a move on the board waits for a confirmation. */
  confirm: read("confirm") === "on",
  /** Whether the user has seen what to do after a "no". */
  knowsNo: read("knows-no") === "yes",
});

const night = matchMedia("(prefers-color-scheme: dark)");
const clear = matchMedia("(prefers-contrast: more)");
for (const one of [night, clear]) one.addEventListener("change", dress);

/** Sets the look that the user has chosen, or that of the device. */
export function dress(): void {
  const { dataset } = document.documentElement;
  dataset.theme = settings.theme === "auto" ? (night.matches ? "dark" : "light") : settings.theme;
  dataset.contrast = settings.contrast === "more" || clear.matches ? "more" : "normal";
  dataset.board = settings.board;
  dataset.size = settings.size;
}

/** Sets a choice. A value that does not exist is ignored. */
export function choose(name: Choice, value: string): void {
  if (!(CHOICES[name] as readonly string[]).includes(value)) return;
  (settings as Record<Choice, string>)[name] = value;
  write(name, value);
  dress();
  if (name === "language") void speak(settings.language);
}

export function turn(name: "sound" | "keys" | "confirm", on: boolean): void {
  settings[name] = on;
  write(name, on ? "on" : "off");
}

export function setVolume(volume: number): void {
  settings.volume = volume;
  write("volume", String(volume));
}

export function learnNo(): void {
  settings.knowsNo = true;
  write("knows-no", "yes");
}

/** The height of the user's lists in the lobby at the last visit, in pixels. */
export const keptHeight = (): number => Math.min(2000, Number(read("lobby-lists") ?? 0) || 0);
export const keepHeight = (height: number): void => write("lobby-lists", String(height));

/** The last custom ruleset that the club could read. */
export const keptFile = (): string | null => read("own-rules");
export const keepFile = (text: string): void => write("own-rules", text);

/** What the user played last: a built-in ruleset, the place in the list of times, the wish for a colour, the program, whether rated. */
interface KeptGame {
  rules: string;
  time: number;
  color: "any" | "white" | "black";
  program: string;
  rated?: boolean;
}
export const keepGame = (game: KeptGame): void => write("last-game", JSON.stringify(game));
export function keptGame(): KeptGame | null {
  try {
    return JSON.parse(read("last-game") ?? "null") as KeptGame | null;
  } catch {
    return null;
  }
}

/** The tokens of both seats of a game of two people at this device. */
export type Tokens = Readonly<Record<Side, string>>;
export const keepTokens = (game: string, tokens: Tokens): void => write(`device:${game}`, JSON.stringify(tokens));
export function keptTokens(game: string): Tokens | null {
  const kept = read(`device:${game}`);
  return kept === null ? null : (JSON.parse(kept) as Tokens);
}
