// The languages of the page. A language is a folder of this folder, and a line here.

interface Language {
  /** Its name, in the language itself. */
  name: string;
  /** How dates and numbers are written. */
  locale: string;
  /** "Not reviewed" in the language itself, until somebody who has not written its texts has read them all. */
  unreviewed?: string;
}

export const languages = {
  en: { name: "English", locale: "en-GB" },
  de: { name: "Deutsch", locale: "de", unreviewed: "ungeprüft" },
} as const satisfies Record<string, Language>;

export type LanguageId = keyof typeof languages;

/** The name in a menu: `Deutsch (ungeprüft)`. */
export function languageName(id: LanguageId): string {
  const { name, unreviewed }: Language = languages[id];
  return unreviewed === undefined ? name : `${name} (${unreviewed})`;
}
