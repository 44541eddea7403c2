// The letters of men in the user's language. The club reads the English ones.

import { t } from "./language.svelte";
import { manOf, ORDER } from "./men";
import type { Man } from "./wire";

const ENGLISH = "KQRBNP";

/** The letter of a man in the user's language: `N`, in German `S`. */
export const ownLetter = (man: Man): string => t("chess-letters").charAt(ORDER.indexOf(man));

/** The man with a letter of the user's language, or with an English one that is free. */
export const manOfOwn = (letter: string): Man | undefined => ORDER[t("chess-letters").indexOf(letter.toUpperCase())] ?? manOf(letter);

/** A typed try or question with English letters: `Sf3` in German is `Nf3`, `p s` is `p n`. English letters that are free stay. */
export function inEnglish(typed: string): string {
  const own = t("chess-letters");
  if (own === ENGLISH) return typed;
  const english = (letter: string): string => ENGLISH.charAt(own.indexOf(letter.toUpperCase())) || letter;
  const move = /^([A-Z])(?=[a-h1-8@x:-]|\s*[a-h][1-8])/.exec(typed);
  if (move !== null) return english(move[1]!) + ofPromotion(typed.slice(1), english);
  const asked = /^(p\s+)(\w)$/.exec(typed);
  return asked === null ? ofPromotion(typed, english) : asked[1]! + english(asked[2]!).toLowerCase();
}

const ofPromotion = (text: string, english: (letter: string) => string): string => text.replace(/([18]=?)([A-Za-z])$/, (_, before: string, letter: string) => before + english(letter));
