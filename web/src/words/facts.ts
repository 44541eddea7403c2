// Facts about the opponent's men that a player could know for certain.

import type { FactJson, Man } from "../wire";
import { chess } from "./chess";

const list = (items: readonly string[], word: string): string => (items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${word} ${items.at(-1)}`);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const left = (man: Man, count: number): string => `${capital(NUMBERS[count] ?? String(count))} ${chess.men[man]}${count < 2 ? " is" : "s are"} left.`;

/** A fact as a sentence. */
export function factText(fact: FactJson): string {
  switch (fact.kind) {
    case "on":
      return `The ${chess.men[fact.man]}${fact.squares.length === 1 ? " is" : "s are"} on ${list(fact.squares, "and")}.`;
    case "one-of":
      return `The ${chess.men[fact.man]} is on ${list(fact.squares, "or")}.`;
    case "among":
      return fact.squares.length === 1 ? `A ${chess.men[fact.man]} is on ${fact.squares[0]}.` : `${chess.plurals[fact.man]} are on ${list(fact.squares, "and")}.`;
    case "other":
      return `The other ${chess.men[fact.man]} is on ${list(fact.squares, "or")}.`;
    case "occupied":
      return `${fact.men.length > 3 ? "A man" : capital(list(fact.men.map((man) => `a ${chess.men[man]}`), "or"))} is on ${fact.square}.`;
    case "left":
      return left(fact.man, fact.count);
  }
}
