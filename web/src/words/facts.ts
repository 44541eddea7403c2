// Facts about the opponent's men that a player could know for certain.

import { allOf, oneOf, t } from "../language.svelte";
import { capital } from "../men";
import type { FactJson } from "../wire";

/** A fact as a sentence. */
export function factText(fact: FactJson): string {
  switch (fact.kind) {
    case "on":
      return t("fact-on", { man: fact.man, count: fact.squares.length, squares: allOf(fact.squares) });
    case "one-of":
      return t("fact-one-of", { man: fact.man, squares: oneOf(fact.squares) });
    case "among":
      return t("fact-among", { man: fact.man, count: fact.squares.length, squares: allOf(fact.squares) });
    case "other":
      return t("fact-other", { man: fact.man, squares: oneOf(fact.squares) });
    case "occupied":
      if (fact.men.length > 3) return t("fact-occupied-by-any", { square: fact.square });
      return t("fact-occupied", { men: capital(oneOf(fact.men.map((man) => t("fact-a-man", { man })))), square: fact.square });
    case "left":
      return t("fact-left", { man: fact.man, count: fact.count });
  }
}
