// The referee's sentences. Their English is that of the crate `notation` (`heard.test.ts` compares them), except where
// the player who acted is called "you".

import type { AnswerJson, HeardJson, OverJson, ReasonJson, Side } from "../wire";
import type { Choices } from "./calls";
import { chess } from "./chess";

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

const side = (one: Side): string => chess.sides[one];
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** `You offer` to the player who acts, `White offers` to everybody else. */
const does = (by: Side, what: string, { seat }: Listener): string => (by === seat ? `You ${what}` : `${side(by)} ${what}s`);

const NONSENSE: Record<string, string> = { nonsense: "nonsense", "hell-no": "hell no", "heck-no": "heck-no", impossible: "impossible", no: "no" };
const ANY: Record<string, readonly [yes: string, no: string]> = { impossible: ["try!", "no"], "heck-no": ["some", "none"] };

/** The answer to an attempt in the words of a ruleset; null if it is no refusal and no answer to Any?. */
export function answerWord(answer: AnswerJson, { nonsense_word = "" }: Choices): string | null {
  switch (answer) {
    case "no":
      return "no";
    case "repeat-no":
      return "repeat no";
    case "nonsense":
      return NONSENSE[nonsense_word] ?? "nonsense";
    case "yes":
      return ANY[nonsense_word]?.[0] ?? "yes";
    case "none":
      return ANY[nonsense_word]?.[1] ?? "no";
    default:
      return null;
  }
}

function refused({ kind, by, attempt }: Heard<"no" | "nonsense" | "repeat-no">, to: Listener): string {
  const word = answerWord(kind, to.choices) ?? "";
  return attempt == null ? `${side(by)} is told ${word}.` : `${capital(word)}: ${to.nameOf(attempt)}.`;
}

/** The owner of announced pawn tries: `Your` and `You have` to the player to move; empty if it is not known. */
function owner({ seat, toMove }: Listener): { own: string; has: string } {
  if (toMove === null) return { own: "", has: "" };
  if (toMove === seat) return { own: "Your ", has: "You have " };
  if (seat === null) return { own: `${side(toMove)}'s `, has: `${side(toMove)} has ` };
  return { own: "Your opponent's ", has: "Your opponent has " };
}

/** Whether no pawn try is announced. */
export const isNone = ({ any, count, squares, double }: Heard<"tries">): boolean =>
  count === 0 || ((any ?? count ?? null) === null && (squares ?? []).length + (double ?? []).length === 0);

function tries(told: Heard<"tries">, to: Listener): string {
  const { any, count, squares, double } = told;
  const { own, has } = owner(to);
  const tried = (n: number): string => (n === 1 ? "1 pawn try" : `${n} pawn tries`);
  const begin = (what: string): string => (own === "" ? capital(what) : own + what);
  if (any != null) return any ? (has === "" ? "Pawn capture." : `${has}a pawn capture.`) : "";
  if (isNone(told)) return has === "" ? (count === 0 ? "0 pawn tries." : "No pawn tries.") : `${has}no pawn tries.`;
  if (count != null) return `${has}${tried(count)}.`;
  const named = (what: string, all: readonly string[], one = what): string => (all.length === 0 ? "" : `${begin(all.length === 1 ? one : what)} ${all.join(", ")}.`);
  if (double != null) return [named("single pawn tries:", squares ?? []), named("double pawn tries:", double)].filter((text) => text !== "").join(" ");
  if (to.choices.pawn_try_square === "origin") return named("pawn tries from", squares ?? [], "pawn try from");
  return named("pawn tries:", squares ?? [], "pawn try:");
}

function capture({ square, man, en_passant }: Heard<"capture">, { choices }: Listener): string {
  const passing = en_passant && square !== null ? ", en passant" : "";
  if (choices.capture_heard === "capturer") return `You capture a ${man ?? "man"}${square === null ? "" : ` on ${square}`}${passing}.`;
  if (square === null) return `A ${man ?? "man"} is gone.`;
  return `${man === null ? "Capture" : `${capital(man)} gone`} on ${square}${passing}.`;
}

const DIRECTIONS: Record<string, string> = {
  rank: "on the rank",
  file: "on the file",
  long: "on the long diagonal",
  short: "on the short diagonal",
  knight: "by a knight",
};

function check({ directions }: Heard<"check">): string {
  const all = directions.map((one) => DIRECTIONS[one] ?? one);
  if (all.length > 1) return `Double check: ${all.join(" and ")}.`;
  return all.length === 0 ? "Check." : `Check ${all[0]}.`;
}

const times = (n: number): string => ["not once", "once", "twice"][n] ?? `${n} times`;

const loserOf = (result: OverJson["result"]): Side | null => (result === "1-0" ? "black" : result === "0-1" ? "white" : null);

/** Why a game ended. The player is the one who lost; null if nobody did. */
const CAUSES: Record<ReasonJson, (loser: string | null, choices: Choices) => string> = {
  checkmate: () => "Checkmate",
  stalemate: (_, { stalemate }) => (stalemate === "loses" ? "Stalemate, which loses here" : "Stalemate"),
  insufficient: () => "Too little material is left",
  threefold: () => "The position has occurred three times",
  fifty: () => "Fifty moves by each side without a capture or a pawn move",
  resignation: (loser) => (loser === null ? "Resignation" : `${loser} resigns`),
  agreement: () => "A draw is agreed",
  time: (loser) => (loser === null ? "Time is up, and the other side has a bare king" : `${loser}'s time is up`),
  "exhausted-tries": () => "The pawn captures of this turn are spent and no other move is legal",
  aborted: () => "The game is broken off",
  abandoned: (loser) => `${loser ?? "A player"} has left the game`,
};
const OUTCOMES: Record<OverJson["result"], string> = { "1-0": "White wins, 1-0", "0-1": "Black wins, 0-1", "1/2-1/2": "a draw, 1/2-1/2", "*": "no result, *" };

/** The end of a game, as everybody hears it. */
export function over({ result, reason }: OverJson, choices: Choices): string {
  if (reason === "agreement" && result === "1/2-1/2") return "A draw is agreed, 1/2-1/2.";
  const loser = loserOf(result);
  return `${CAUSES[reason](loser === null ? null : side(loser), choices)}: ${OUTCOMES[result]}.`;
}

const WON: Partial<Record<ReasonJson, string>> = {
  stalemate: "your opponent has no legal move",
  resignation: "your opponent resigned",
  time: "your opponent ran out of time",
  "exhausted-tries": "your opponent's three pawn captures were refused, and no other move is legal",
  abandoned: "your opponent left the game",
};
const LOST: Partial<Record<ReasonJson, string>> = {
  stalemate: "you have no legal move",
  resignation: "you resigned",
  time: "you ran out of time",
  "exhausted-tries": "your three pawn captures were refused, and no other move is legal",
  abandoned: "you left the game",
};

/** The end of a game, as this listener hears it. */
export function overTo(told: OverJson, { seat, choices }: Pick<Listener, "seat" | "choices">): string {
  const { result, reason } = told;
  const loser = loserOf(result);
  if (seat === null || loser === null) return over(told, choices);
  const cause = (loser === seat ? LOST : WON)[reason] ?? chess.causes[reason];
  return `${loser === seat ? chess.ends.youLost : chess.ends.youWon}: ${cause}, ${result}.`;
}

/** The sentence for one thing heard; empty if the referee says nothing. */
export function sentenceFor(told: HeardJson, to: Listener): string {
  switch (told.kind) {
    case "start":
      return to.seat === null ? "A new game." : `A new game. You play ${side(to.seat)}.`;
    case "moved":
      return told.attempt == null ? `${side(told.by)} has moved.` : `You play ${to.nameOf(told.attempt)}.`;
    case "no":
    case "nonsense":
    case "repeat-no":
      return refused(told, to);
    case "any": {
      const word = answerWord(told.answer ? "yes" : "none", to.choices) ?? "";
      return `${does(told.by, "ask", to)} any? ${capital(word)}${word.endsWith("!") ? "" : "."}`;
    }
    case "lost":
      return `Your ${chess.men[told.man]} on ${told.square} is gone.`;
    case "capture":
      return capture(told, to);
    case "drop":
      return `${does(told.by, "drop", to)} a ${chess.men[told.man]}.`;
    case "promotion":
      return `${does(told.by, "promote", to)}.`;
    case "check":
      return check(told);
    case "tries":
      return tries(told, to);
    case "turn":
      return `${side(told.to_move)} to move.`;
    case "rebuffs":
      return `${does(told.by, "ask", to)} for the count: ${side(told.by === "white" ? "black" : "white")} was rebuffed ${times(told.count)}.`;
    case "recap": {
      const toMove = told.said.find((one) => one.kind === "turn")?.to_move ?? null;
      const all = told.said.map((one) => sentenceFor(one, { ...to, seat: null, toMove })).filter((text) => text !== "");
      return `${does(told.by, "ask", to)} again: ${all.length === 0 ? "nothing was announced yet." : all.join(" ")}`;
    }
    case "draw-offer":
      return `${does(told.by, "offer", to)} a draw.`;
    case "draw-declined":
      return `${does(told.by, "decline", to)} the draw.`;
    case "draw-withdrawn":
      return `${does(told.by, "take", to)} the draw offer back.`;
    case "over":
      return overTo(told, to);
  }
}
