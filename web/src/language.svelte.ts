// The language of the page, and its texts. The file `words/LANGUAGE/NAME.ftl` (Fluent) has the messages `NAME-...`.

import { FluentBundle } from "@fluent/bundle";
import type { Literal, Pattern, PatternElement } from "@fluent/bundle/esm/ast.js";
import { untrack } from "svelte";
import { languages, type LanguageId } from "./words/languages";

/** The values of a message. It compares truth values as `true` and `false`, and what is missing as `none`. */
export type Values = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A part of a message: a text, a list of parts, another message, a value, or a choice by a value (`*` marks the last resort). */
type Short = string | readonly Short[] | { readonly [key: string]: Short };
/** The messages of a file; `vite.config.js` reads them from the text when the page is built. */
type File = Readonly<Record<string, Short>>;
const inFull = (part: Short): PatternElement => {
  if (typeof part === "string") return part;
  const { $: name, m, ...variants } = part as Record<string, Short>;
  if (m !== undefined) return { type: "mesg", name: m as string, attr: null };
  const selector = { type: "var", name: name as string } as const;
  const all = Object.entries(variants);
  if (all.length === 0) return selector;
  const keyOf = (key: string): Literal => (/^\d+$/.test(key) ? { type: "num", value: Number(key), precision: 0 } : { type: "str", value: key });
  return { type: "select", selector, variants: all.map(([key, value]) => ({ key: keyOf(key.replace("*", "")), value: patternOf(value) })), star: all.findIndex(([key]) => key.startsWith("*")) };
};
const patternOf = (part: Short): Pattern => (typeof part === "string" ? part : (Array.isArray(part) ? part : [part]).map(inFull));

/** The English texts of the first screen. */
const english = import.meta.glob<File>("./words/en/{chess,lobby,program,ruleset,site}.ftl", { import: "default", eager: true });
const later = import.meta.glob<File>(["./words/*/*.ftl", "!./words/en/{chess,lobby,program,ruleset,site}.ftl"], { import: "default" });
const nameOf = (path: string): string => path.replace(/.*\/|\.ftl$/g, "");
const FIRST: readonly string[] = Object.keys(english).map(nameOf);
/** The names of all files. */
export const FILES: readonly string[] = [...FIRST, ...Object.keys(later).filter((path) => path.startsWith("./words/en/")).map(nameOf)];
const read = async (language: LanguageId, name: string): Promise<File> => {
  const path = `./words/${language}/${name}.ftl`;
  return english[path] ?? (await later[path]?.()) ?? {};
};

interface Texts {
  language: LanguageId;
  bundle: FluentBundle;
  /** The files that the bundle has. */
  has: ReadonlySet<string>;
}
const textsOf = (language: LanguageId): Texts => ({ language, bundle: new FluentBundle(languages[language].locale, { useIsolating: false }), has: new Set() });
function withFiles({ language, bundle, has }: Texts, names: readonly string[], read: readonly File[]): Texts {
  for (const file of read) bundle.addResource({ body: Object.entries(file).map(([id, value]) => ({ id, value: patternOf(value), attributes: {} })) });
  return { language, bundle, has: new Set([...has, ...names]) };
}

let texts = $state.raw(withFiles(textsOf("en"), FIRST, Object.values(english)));

const added = async (to: Texts, names: readonly string[]): Promise<Texts> =>
  withFiles(to, names, await Promise.all(names.map((name) => read(to.language, name))));

/** Loads files of texts. A part of the page that comes later loads those that it needs first; `t` loads a file that is missing. */
export async function load(...names: string[]): Promise<void> {
  // Who loads a part does not load it again when the texts change.
  const before = untrack(() => texts);
  const { language, has } = before;
  const missing = names.filter((name) => !has.has(name));
  if (missing.length === 0) return;
  const loaded = await added(before, missing);
  if (language === texts.language) texts = { ...loaded, has: new Set([...texts.has, ...loaded.has]) };
}

/** A part of the page, when the texts that it needs are loaded, too. */
export const withTexts = async <T>(part: Promise<T>, ...names: string[]): Promise<T> => (await Promise.all([part, load(...names)]))[0];

/** The language of the page that suits the languages of the browser best. */
async function negotiated(): Promise<LanguageId> {
  const ids = Object.keys(languages) as LanguageId[];
  // Most users prefer a language of the page, and need no negotiation.
  const first = ids.find((id) => id === navigator.languages[0]?.split("-")[0]);
  if (first !== undefined) return first;
  const { negotiateLanguages } = await import("@fluent/langneg");
  return negotiateLanguages(navigator.languages, ids, { strategy: "lookup", defaultLocale: "en" })[0] as LanguageId;
}

/** Speaks a language from now on; `auto` is that of the browser. If its texts cannot be loaded, the language stays. */
export async function speak(wanted: LanguageId | "auto"): Promise<void> {
  try {
    const language = wanted === "auto" ? await negotiated() : wanted;
    if (language !== texts.language) texts = await added(textsOf(language), [...new Set([...FIRST, ...texts.has])]);
  } catch {
    // The club cannot be reached.
  }
  document.documentElement.lang = texts.language;
}

/** The text of a message in the user's language; empty if there is no such message, and while its file is loaded. */
export function t(id: string, values: Values = {}): string {
  const { bundle, has } = texts;
  const pattern = bundle.getMessage(id)?.value;
  const name = id.slice(0, id.indexOf("-"));
  if (pattern == null) {
    if (!has.has(name)) void load(name).catch(() => {});
    return "";
  }
  const plain = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, typeof value === "boolean" ? String(value) : (value ?? "none")]));
  return bundle.formatPattern(pattern, plain, import.meta.env.PROD ? [] : null);
}

/** The part of the id of a message that stands for a name: `ks+a` is `ks_a`. */
export const idOf = (name: string): string => name.replace(/[^\w-]/g, "_");

/** How dates and numbers are written. */
export const locale = (): string => languages[texts.language].locale;

/** Words as in `a, b and c`. */
export const allOf = (words: readonly string[]): string => new Intl.ListFormat(locale(), { type: "conjunction" }).format(words);
/** Words as in `a, b or c`. */
export const oneOf = (words: readonly string[]): string => new Intl.ListFormat(locale(), { type: "disjunction" }).format(words);
