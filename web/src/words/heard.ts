// The referee's sentences. Their English is that of the crate `notation` (`heard.test.ts` compares them), except where
// the player who acted is called "you".

import { allOf, t } from "../language.svelte";
import { capital, other } from "../men";
import type { AnswerJson, HeardJson, OverJson, Side } from "../wire";
import type { Choices } from "./calls";

/** Who listens, and what this listener calls things. */
export interface Listener {
  /** The player; null for a spectator. */
  seat: Side | null;
  choices: Choices;
  /** The name of an attempt of this player. */
  nameOf: (attempt: string) => string;
  /** The player to move, whose pawn tries are announced; null if it is not known. */
  toMove: Side | null;
}
type Heard<K extends HeardJson["kind"]> = Extract<HeardJson, { kind: K }>;

const NONSENSE: ReadonlySet<string> = new Set(["hell-no", "heck-no", "impossible", "no"]);

/** The answer to an attempt in the words of a ruleset; null if it is no refusal and no answer to Any?. */
export function answerWord(answer: AnswerJson, { nonsense_word = "" }: Choices): string | null {
  switch (answer) {
    case "no":
    case "repeat-no":
      return t("heard-word", { word: answer });
    case "nonsense":
      return t("heard-word", { word: NONSENSE.has(nonsense_word) ? nonsense_word : "nonsense" });
    case "yes":
      return t("heard-word", { word: { impossible: "try", "heck-no": "some" }[nonsense_word] ?? "yes" });
    case "none":
      return t("heard-word", { word: nonsense_word === "heck-no" ? "none" : "no" });
    default:
      return null;
  }
}

function refused({ kind, by, attempt }: Heard<"no" | "nonsense" | "repeat-no">, to: Listener): string {
  const word = answerWord(kind, to.choices) ?? "";
  return attempt == null ? t("heard-told", { side: by, word }) : t("heard-refused", { word: capital(word), move: to.nameOf(attempt) });
}

/** Whether no pawn try is announced. */
export const isNone = ({ any, count, squares, double }: Heard<"tries">): boolean =>
  count === 0 || ((any ?? count ?? null) === null && (squares ?? []).length + (double ?? []).length === 0);

function tries(told: Heard<"tries">, { seat, toMove, choices }: Listener): string {
  const { any, count, squares, double } = told;
  const owner = toMove === null ? "none" : toMove === seat ? "you" : seat === null ? toMove : "opponent";
  if (any != null) return any ? t("heard-whether", { owner }) : "";
  if (isNone(told) && (count == null || owner !== "none")) return t("heard-no-tries", { owner });
  if (count != null) return t("heard-count", { owner, count });
  const named = (kind: string, all: readonly string[]): string => (all.length === 0 ? "" : t("heard-squares", { owner, kind, count: all.length, squares: all.join(", ") }));
  if (double != null) return [named("single", squares ?? []), named("double", double)].filter((text) => text !== "").join(" ");
  return named(choices.pawn_try_square === "origin" ? "from" : "on", squares ?? []);
}

function capture({ square, man, en_passant: passing }: Heard<"capture">, { choices }: Listener): string {
  if (choices.capture_heard === "capturer") return square === null ? t("heard-you-capture-somewhere", { man }) : t("heard-you-capture", { man, square, passing });
  return square === null ? t("heard-capture-somewhere", { man }) : t("heard-capture", { man, square, passing });
}

function check({ directions }: Heard<"check">): string {
  const [direction, second] = directions;
  if (direction === undefined) return t("heard-check");
  return second === undefined ? t("heard-check-from", { direction }) : t("heard-double-check", { directions: allOf(directions.map((one) => t("heard-direction", { direction: one }))) });
}

const loserOf = (result: OverJson["result"]): Side | null => (result === "1-0" ? "black" : result === "0-1" ? "white" : null);

/** The end of a game, as everybody hears it. */
export function over({ result, reason }: OverJson, { stalemate }: Choices): string {
  if (reason === "agreement" && result === "1/2-1/2") return t("heard-agreed");
  const side = loserOf(result);
  const outcome = side === null ? (result === "*" ? "none" : "draw") : other(side);
  return t("heard-over", { reason: reason === "stalemate" && stalemate === "loses" ? "stalemate-loses" : reason, side, outcome });
}

/** The end of a game, as this listener hears it. */
export function overTo(told: OverJson, { seat, choices }: Pick<Listener, "seat" | "choices">): string {
  const { result, reason } = told;
  const loser = loserOf(result);
  if (seat === null || loser === null) return over(told, choices);
  return loser === seat ? t("heard-you-lost", { reason, result }) : t("heard-you-won", { reason, result });
}

/** The sentence for one thing heard; empty if the referee says nothing. */
export function sentenceFor(told: HeardJson, to: Listener): string {
  const who = (side: Side): { side: Side; you: boolean } => ({ side, you: side === to.seat });
  switch (told.kind) {
    case "start":
      return t("heard-start", { side: to.seat });
    case "moved":
      return told.attempt == null ? t("heard-moved", { side: told.by }) : t("heard-you-moved", { move: to.nameOf(told.attempt) });
    case "no":
    case "nonsense":
    case "repeat-no":
      return refused(told, to);
    case "any": {
      const word = capital(answerWord(told.answer ? "yes" : "none", to.choices) ?? "");
      return t("heard-any", { ...who(told.by), word: word.endsWith("!") ? word : `${word}.` });
    }
    case "lost":
      return t("heard-lost", { man: told.man, square: told.square });
    case "capture":
      return capture(told, to);
    case "drop":
      return t("heard-drop", { ...who(told.by), man: told.man });
    case "promotion":
      return t("heard-promotion", who(told.by));
    case "check":
      return check(told);
    case "tries":
      return tries(told, to);
    case "turn":
      return t("heard-turn", { side: told.to_move });
    case "rebuffs":
      return t("heard-rebuffs", { ...who(told.by), count: told.count });
    case "recap": {
      const toMove = told.said.find((one) => one.kind === "turn")?.to_move ?? null;
      const all = told.said.map((one) => sentenceFor(one, { ...to, seat: null, toMove })).filter((text) => text !== "");
      return t("heard-recap", { ...who(told.by), said: all.length === 0 ? t("heard-nothing-yet") : all.join(" ") });
    }
    case "draw-offer":
      return t("heard-draw-offer", who(told.by));
    case "draw-declined":
      return t("heard-draw-declined", who(told.by));
    case "draw-withdrawn":
      return t("heard-draw-withdrawn", who(told.by));
    case "over":
      return overTo(told, to);
  }
}
