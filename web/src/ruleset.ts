// Reads and changes the text of a ruleset file. The meaning of the file is determined by the club.

import { idOf, t } from "./language.svelte";
import { titleOf } from "./titles";
import type { RulesetJson, Side } from "./wire";
import type { Choices } from "./words/calls";
import type { Refusal } from "./words/refusals";

/** A place in a text; line and column count from 1. */
export interface Place {
  line: number;
  column: number;
}

/** A ruleset file that starts from a built-in ruleset and changes nothing. */
export const startFile = (base: RulesetJson): string =>
  `id = "my-${base.id}"\nfrom = "${base.id}"\ntitle = "${t("rules-own-name-of", { title: base.title })}"\n\n[choices]\n`;

/** The value of a key in a file; null if the file does not have the key. */
export function valueIn(file: string, key: string): string | null {
  const found = new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*"([^"]*)"`, "m").exec(file);
  return found === null ? null : found[1]!;
}

/** A file with another value of a key; null removes the key. A new choice is added at the end of the file. */
export function withValue(file: string, key: string, value: string | null): string {
  const line = new RegExp(`^[ \\t]*${key}[ \\t]*=.*(\\n|$)`, "m");
  const text = value === null ? "" : `${key} = "${value.replace(/["\\\\\n]/g, "")}"\n`;
  if (line.test(file)) return file.replace(line, () => text);
  if (value === null) return file;
  const whole = /^\[choices\]/m.test(file) ? file : `${file.trimEnd()}\n\n[choices]\n`;
  return `${whole.trimEnd()}\n${text}`;
}

/** The side that moves first in a position. */
export const moverOf = (fen: string): Side => (fen.split(" ")[1] === "b" ? "black" : "white");

/** A file with another start position; an empty text is the usual one. */
export const withStart = (file: string, fen: string): string =>
  withValue(valueIn(file, "start") === null && fen !== "" ? `start = ""\n${file}` : file, "start", fen === "" ? null : fen);

const HALL = /^[ \t]*hall[ \t]*=[ \t]*true\b.*(\n|$)/m;
/** Whether a file agrees to a screen in a hall. */
export const hasHall = (file: string): boolean => HALL.test(file);
/** A file that agrees to a screen in a hall, or not. */
export const withHall = (file: string, hall: boolean): string => (hall ? "hall = true\n" : "") + file.replace(HALL, "");

/** Returns a text of the catalogue with words for people in place of the names that only programs use. */
export const plain = (text: string): string => text.replace(/\bpx\b/g, () => t("rules-px"));

/** What a choice decides. */
export const aboutChoice = (choice: string): string => plain(t(`choice-${choice}`));

/** The meaning of a value of a choice, in a sentence; empty if there is no such value. */
export const meaningOf = (choice: string, value: string): string => plain(t(`choice-${choice}-${value}`));

/** A note of a ruleset without the numbers of sections and the names that only programs use. */
export const plainNote = (note: string): string =>
  note
    .replace(/ \((?:section |rules? |RAND )?\d+(?:\.\d+[a-z]?)?(?:, section \d+)?\)/g, "")
    .replace(/\brule \d+\.\d+[a-z]?\b/g, () => t("rules-rule"))
    .replace(/\bRAND \d+(?:\.\d+[a-z]?)?\b/g, "RAND")
    .replace(/ \(`[^`]*`\)/g, "")
    .replace(/`([^`]*)`/g, (_, word: string) => (word === "px" ? t("rules-px") : titleOf(word)));

/** Where the source of a ruleset is silent, or the ruleset differs from it. */
export function notesOf(ruleset: string): string[] {
  const notes: string[] = [];
  for (let note = t(`note-${idOf(ruleset)}-1`); note !== ""; note = t(`note-${idOf(ruleset)}-${notes.length + 1}`)) notes.push(plainNote(note));
  return notes;
}

/** The place of the error that the club found in a file. */
export const placeIn = ({ args: { line, column } }: Refusal): Place | null =>
  line === undefined || column === undefined ? null : { line: Number(line), column: Number(column) };

/** The range from a place to the end of its line, in UTF-16 code units. */
export function rangeOf(text: string, { line, column }: Place): { start: number; end: number } {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const now = lines[line - 1] ?? "";
  const start = before + [...now].slice(0, column - 1).join("").length;
  return { start: Math.min(start, text.length), end: Math.min(before + now.length, text.length) };
}

/** Choices that the page about a ruleset leaves out, because they have no effect beside other choices. */
const IDLE: Readonly<Record<string, (choices: Choices) => boolean>> = {
  announced_tries: (c) => c.pawn_tries === "silent",
  announced_check: (c) => c.check === "silent",
  any_again: (c) => c.pawn_tries !== "on-request",
  any_without_pawns: (c) => c.pawn_tries !== "on-request",
  obligation: (c) => c.pawn_tries !== "on-request" && c.obligation === "none",
  pawn_try_square: (c) => c.pawn_tries !== "squares" && c.pawn_tries !== "singles-and-doubles",
  try_limit: (c) => c.try_limit === "none",
  px: (c) => c.px === "absent",
  capture_square: (c) => c.capture_heard === "victim",
  capture_man: (c) => c.capture_heard === "victim",
  en_passant: (c) => c.capture_heard === "victim" || c.capture_square === "untold",
  count: (c) => c.count === "absent",
  recap: (c) => c.recap === "absent",
  reserve: (c) => c.reserve === "none",
  enemy_count: (c) => c.reserve !== "none",
  stalemate: (c) => c.mates !== "announced",
};

/** The parts of the form, and the choices in each. */
export const PARTS: readonly (readonly [part: string, choices: readonly string[]])[] = [
  ["attempts", ["impossible", "announced_tries", "announced_check", "repeat", "nonsense_heard", "nonsense_word", "nonsense_score"]],
  ["illegal", ["no_heard"]],
  ["capture", ["capture_heard", "capture_square", "capture_man", "en_passant"]],
  ["check", ["check"]],
  ["tries", ["pawn_tries", "pawn_try_square", "any_again", "any_without_pawns", "obligation", "try_limit", "px"]],
  ["promotion", ["promotion", "promotion_man"]],
  ["captured", ["reserve", "enemy_count"]],
  ["questions", ["count", "recap"]],
  ["end", ["mates", "stalemate", "material", "threefold", "fifty"]],
];

/** The meaning of a choice; that of a question with the question. */
const sentenceOf = (choice: string, value: string): string =>
  choice === "count" || choice === "recap" ? t(`rules-question-${choice}`, { meaning: meaningOf(choice, value) }) : meaningOf(choice, value);

/** What a ruleset decides, in sentences under headings. */
export const sectionsOf = (decided: Choices): { heading: string; sentences: string[] }[] =>
  PARTS.map(([part, names]) => ({
    heading: t(`rules-part-${part}`),
    sentences: names.filter((name) => IDLE[name]?.(decided) !== true).map((name) => sentenceOf(name, decided[name] ?? "")),
  })).filter(({ sentences }) => sentences.length > 0);
