// The language of the page, and its texts. The file `words/LANGUAGE/NAME.ftl` (Fluent) has the messages `NAME-...`.

import { FluentBundle, FluentResource } from "@fluent/bundle";
import { negotiateLanguages } from "@fluent/langneg";
import { untrack } from "svelte";
import { languages, type LanguageId } from "./words/languages";

/** The values of a message. It compares truth values as `true` and `false`, and what is missing as `none`. */
export type Values = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The English texts that every first game needs. */
const english = import.meta.glob<string>("./words/en/{chess,program,ruleset,heard,cause,talk}.ftl", { query: "?raw", import: "default", eager: true });
const files = import.meta.glob<string>("./words/*/*.ftl", { query: "?raw", import: "default" });
/** The names of all files, and of those that every first game needs. */
export const FILES: readonly string[] = Object.keys(files).flatMap((path) => /\/en\/(\w+)\.ftl$/.exec(path)?.[1] ?? []);
const FIRST: readonly string[] = Object.keys(english).map((path) => /(\w+)\.ftl$/.exec(path)![1]!);

interface Texts {
  language: LanguageId;
  bundle: FluentBundle;
  /** The files that the bundle has. */
  has: ReadonlySet<string>;
}
const textsOf = (language: LanguageId): Texts => ({ language, bundle: new FluentBundle(languages[language].locale, { useIsolating: false }), has: new Set() });
function withFiles({ language, bundle, has }: Texts, names: readonly string[], read: readonly string[]): Texts {
  for (const text of read) bundle.addResource(new FluentResource(text));
  return { language, bundle, has: new Set([...has, ...names]) };
}

let texts = $state.raw(withFiles(textsOf("en"), FIRST, Object.values(english)));

const added = async (to: Texts, names: readonly string[]): Promise<Texts> =>
  withFiles(to, names, await Promise.all(names.map((name) => files[`./words/${to.language}/${name}.ftl`]?.() ?? "")));

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

/** Speaks a language from now on; `auto` is that of the browser. If its texts cannot be loaded, the language stays. */
export async function speak(wanted: LanguageId | "auto"): Promise<void> {
  const ids = Object.keys(languages) as LanguageId[];
  const language = wanted === "auto" ? (negotiateLanguages(navigator.languages, ids, { strategy: "lookup", defaultLocale: "en" })[0] as LanguageId) : wanted;
  if (language !== texts.language) texts = await added(textsOf(language), [...new Set([...FIRST, ...texts.has])]).catch(() => texts);
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
