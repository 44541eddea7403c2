// The meaning of each call under the rules in force.

import { oneOf, t } from "../language.svelte";
import type { HeardJson, RulesetJson, Side } from "../wire";
import { answerWord, sentenceFor } from "./heard";

export type Kind = HeardJson["kind"];

/** The part of a ruleset that decides what its calls mean. */
export type Choices = Pick<RulesetJson, "choices">["choices"];

export interface Term {
  /** The words of the call. Calls with the same meaning share one entry. */
  calls: readonly string[];
  means: string;
  /** If present, the entry applies only to a check from one of these directions. `double` means a double check. */
  directions?: readonly string[];
}

const joined = (...all: readonly (string | false)[]): string => all.filter((one) => one !== false).join(" ");
const heardBy = (who: string | undefined): string => (who === "mover" ? t("call-only-mover") : t("cause-heard-by-all"));

/** Why a try can be refused without regard to the opponent's men. The list is empty if there is no such reason. */
const known = (c: Choices): string[] =>
  [
    c.impossible === "nonsense" && t("call-if-impossible"),
    c.announced_tries === "nonsense" && t("call-if-not-announced"),
    c.announced_check === "castling" && t("call-if-castling"),
    c.announced_check === "answers" && t("call-if-no-answer"),
    c.obligation === "try" && t("call-if-must-try"),
    c.obligation === "make" && t("call-if-must-make"),
    c.try_limit === "three" && t("call-if-spent"),
    c.repeat === "nonsense" && t("call-if-repeated"),
    c.any_without_pawns === "nonsense" && t("call-if-no-pawn"),
  ].filter((one) => one !== false);

/** What the referee says, without the full stop: to White, who is to move, unless another listener is named. */
const says = (c: Choices, told: HeardJson, seat: Side | null = "white"): string =>
  sentenceFor(told, { seat, choices: c, toMove: "white", nameOf: (attempt) => attempt }).replace(/\.$/, "");

/**
 * The meanings of each kind of call. The kinds that a newcomer needs first come first. The list of a
 * kind is empty if the ruleset never makes such a call.
 */
const MEANINGS: Record<Kind, (c: Choices) => Term[]> = {
  no: (c) => {
    const same = c.nonsense_word === "no" && known(c).length > 0;
    return [
      {
        calls: [says(c, { kind: "no", by: "white", attempt: "e5" }), ...(c.no_heard === "both" ? [says(c, { kind: "no", by: "white" })] : [])],
        means: joined(
          t("call-no"),
          heardBy(c.no_heard),
          same && t("call-no-also", { reasons: oneOf(known(c)) }),
          same && c.nonsense_heard !== c.no_heard && (c.nonsense_heard === "mover" ? t("call-no-mover") : t("call-no-all")),
        ),
      },
    ];
  },
  nonsense: (c) => {
    if (!["nonsense", "hell-no", "heck-no", "impossible"].includes(c.nonsense_word ?? "") || known(c).length === 0) return [];
    return [
      {
        calls: [says(c, { kind: "nonsense", by: "white", attempt: "e5" }), ...(c.nonsense_heard === "both" ? [says(c, { kind: "nonsense", by: "white" })] : [])],
        means: joined(t("call-nonsense", { reasons: oneOf(known(c)) }), heardBy(c.nonsense_heard)),
      },
    ];
  },
  "repeat-no": (c) => (c.repeat === "repeat-no" ? [{ calls: [says(c, { kind: "repeat-no", by: "white", attempt: "e5" })], means: t("call-repeat-no") }] : []),
  any: (c) => {
    if (c.pawn_tries !== "on-request") return [];
    const word = answerWord("yes", c) ?? "";
    return [
      {
        calls: [says(c, { kind: "any", by: "white", answer: true }), says(c, { kind: "any", by: "white", answer: false }, "black")],
        means: joined(t("call-any"), t("call-try"), c.obligation === "try" && t("call-must-try", { word }), c.obligation === "make" && t("call-must-make", { word })),
      },
    ];
  },
  check: (c) => {
    if (c.check === "bare") return [{ calls: [says(c, { kind: "check", directions: [] })], means: t("call-check") }];
    if (c.check !== "directions") return [];
    const from = (...directions: string[]): string => says(c, { kind: "check", directions });
    return [
      { calls: [from("rank"), from("file")], directions: ["rank", "file"], means: t("call-check-line") },
      { calls: [from("long"), from("short")], directions: ["long", "short"], means: t("call-check-diagonal") },
      { calls: [from("knight")], directions: ["knight"], means: t("call-check-knight") },
      { calls: [from("file", "knight")], directions: ["double"], means: t("call-check-double") },
    ];
  },
  tries: (c) => {
    const told = (what: Partial<Extract<HeardJson, { kind: "tries" }>>, seat: Side | null = "white"): string => says(c, { kind: "tries", ...what }, seat);
    const none = told({ squares: [] });
    switch (c.pawn_tries) {
      case "whether":
        return [{ calls: [told({ any: true })], means: t("call-tries-whether") }];
      case "count":
        return [
          {
            calls: [told({ count: 2 }), told({ count: 1 }, null), none],
            means: joined(t("call-try"), t("call-tries-count"), c.px === "present" && t("call-tries-px"), c.try_limit === "three" && t("call-tries-three")),
          },
        ];
      case "squares":
        return [{ calls: [told({ squares: ["d4", "f4"] }), none], means: joined(t("call-try"), c.pawn_try_square === "origin" ? t("call-tries-from") : t("call-tries-on")) }];
      case "singles-and-doubles":
        return [{ calls: [told({ squares: ["d5"], double: [] }), told({ squares: [], double: ["f5"] }), none], means: joined(t("call-try"), t("call-tries-double")) }];
      default:
        return [];
    }
  },
  capture: (c) => {
    if (c.capture_heard === "victim") return [];
    const men = c.capture_man === "exact" ? (["knight"] as const) : c.capture_man === "kind" ? (["pawn", "piece"] as const) : [null];
    const told = c.capture_square !== "untold";
    const passing = c.en_passant === "said" && told;
    const sounds = (man: (typeof men)[number], en_passant: boolean): string => says(c, { kind: "capture", square: told ? "d5" : null, man, en_passant });
    return [
      {
        calls: [...men.map((man) => sounds(man, false)), ...(passing ? [sounds(men[0]!, true)] : [])],
        means: joined(
          c.capture_heard === "capturer" ? t("call-capture-own") : t("call-capture"),
          c.capture_man === "kind" && t("call-capture-piece"),
          c.capture_man === "exact" && c.reserve === "drops" && t("call-capture-promoted"),
          c.capture_square === "stood" && t("call-capture-stood"),
          c.capture_square === "landing" && t("call-capture-landing"),
          passing && t("call-capture-passing"),
        ),
      },
    ];
  },
  lost: (c) => [{ calls: [says(c, { kind: "lost", man: "pawn", square: "e4" })], means: t("call-lost") }],
  drop: (c) => (c.reserve === "drops" ? [{ calls: [says(c, { kind: "drop", by: "white", man: "knight" }, "black")], means: t("call-drop") }] : []),
  promotion: (c) => (c.promotion === "side" ? [{ calls: [says(c, { kind: "promotion", by: "white" }, "black")], means: t("call-promotion") }] : []),
  rebuffs: (c) => (c.count === "aloud" ? [{ calls: [says(c, { kind: "rebuffs", by: "white", count: 2 }, "black")], means: t("call-rebuffs") }] : []),
  recap: (c) => (c.recap === "aloud" ? [{ calls: [t("heard-recap", { you: false, side: "white", said: "..." })], means: t("call-recap") }] : []),
  "draw-offer": (c) => [{ calls: [says(c, { kind: "draw-offer", by: "white" }), says(c, { kind: "draw-offer", by: "black" })], means: t("call-draw-offer") }],
  "draw-declined": (c) => [{ calls: [says(c, { kind: "draw-declined", by: "black" })], means: t("call-offer-gone") }],
  "draw-withdrawn": (c) => [{ calls: [says(c, { kind: "draw-withdrawn", by: "black" })], means: t("call-offer-gone") }],
  over: (c) => [
    {
      calls: [says(c, { kind: "over", result: "1-0", reason: "checkmate" }, null), says(c, { kind: "over", result: "1/2-1/2", reason: "agreement" }, null)],
      means: joined(
        t("call-over"),
        c.mates === "unseen" && t("call-over-unseen"),
        c.stalemate === "loses" && t("call-over-stalemate"),
        c.try_limit === "three" && t("call-over-spent"),
        c.try_limit === "three" && (c.stalemate === "loses" ? t("call-over-spent-loses") : t("call-over-spent-check")),
      ),
    },
  ],
  moved: (c) => [{ calls: [says(c, { kind: "moved", by: "white", attempt: "e4" }), says(c, { kind: "moved", by: "white" }, "black")], means: t("call-moved") }],
  turn: (c) => [{ calls: [says(c, { kind: "turn", to_move: "white" })], means: t("call-turn") }],
  start: (c) => [{ calls: [says(c, { kind: "start" } as HeardJson, null)], means: t("call-start") }],
};

export interface Meaning extends Term {
  kind: Kind;
}

/** All calls that can be heard under a ruleset, with their meanings. */
export const meanings = (choices: Choices): Meaning[] =>
  (Object.keys(MEANINGS) as Kind[]).flatMap((kind) => MEANINGS[kind](choices).map((term) => ({ ...term, kind })));

/** The meanings of the calls just heard. */
export function meant(all: readonly Meaning[], heard: readonly HeardJson[]): Meaning[] {
  const told = heard.flatMap((one) => (one.kind === "recap" ? [one, ...one.said] : [one]));
  return all.filter(({ kind, directions }) =>
    told.some((one) => {
      // If the ruleset has no separate word for nonsense, nonsense is announced as "no".
      if (one.kind === "nonsense" && kind === "no") return !all.some((other) => other.kind === "nonsense");
      if (one.kind !== kind || (one.kind === "tries" && one.any === false)) return false;
      if (one.kind !== "check" || directions === undefined) return true;
      if (directions.includes("double")) return one.directions.length > 1;
      return one.directions.some((direction) => directions.includes(direction));
    }),
  );
}
