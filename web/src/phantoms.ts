// Guesses about the opponent's men, and drawings on the board. They never leave this device.

import type { DrawShape } from "chessground/draw";
import { t } from "./language.svelte";
import { turnIn } from "./turn";
import type { HearingJson, LeftJson, Man, RulesetJson, Side } from "./wire";
import { manOfOwn } from "./letters";
import { manOf, ORDER, readBoard, type Placed, type Square } from "./men";

export type Guess = Record<Square, Man>;
export const NAMES = ["A", "B", "C"] as const;
export type Name = (typeof NAMES)[number];
export interface Guesses {
  shown: Name;
  sets: Record<Name, Guess>;
}

export const none = (): Guesses => ({ shown: "A", sets: { A: {}, B: {}, C: {} } });

const FULL: Record<Man, number> = { king: 1, queen: 1, rook: 2, bishop: 2, knight: 2, pawn: 8 };

export interface Count {
  man: Man;
  placed: number;
  /** The number of men of this kind that can still exist, without promoted pawns. */
  most: number;
  /** The number of these men that are not placed; at least 0. */
  free: number;
}

/** Counts men given as letters, such as `QRRP`, by kind. */
export function kindsOf(letters: string): Record<Man, number> {
  const men: Record<Man, number> = { king: 0, queen: 0, rook: 0, bishop: 0, knight: 0, pawn: 0 };
  for (const letter of letters) {
    const man = manOf(letter.toLowerCase());
    if (man !== undefined) men[man] += 1;
  }
  return men;
}

/** Counts of men in words, in the order of lists: `queen, 2 pawns`. */
export const countOf = (men: Record<Man, number>): string =>
  ORDER.flatMap((man) => (men[man] < 1 ? [] : [t("chess-counted", { man, count: men[man] })])).join(", ");

/** The men of one side in the box. They are counted if the ruleset forbids a count of the opponent's men. */
const BOX: LeftJson = { men: null, pawns: FULL.pawn, pieces: 7, kinds: null, reserve: "" };

/**
 * Counts the men of each kind that the tray still holds. If the server gives the number of men of
 * each kind, these numbers are used. Otherwise the numbers at the start of a game are used.
 */
export function tray(guess: Guess, left: LeftJson | null): Count[] {
  left ??= BOX;
  const placed = (man: Man): number => Object.values(guess).filter((m) => m === man).length;
  const { pawns, pieces } = left;
  const told = left.kinds === null ? null : kindsOf(left.kinds);
  const order: Man[] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
  return order.map((man) => {
    const begun = man === "pawn" ? pawns : Math.min(FULL[man], pieces);
    const most = man === "king" ? 1 : (told?.[man] ?? begun);
    return { man, placed: placed(man), most, free: Math.max(0, most - placed(man)) };
  });
}

/** How many pawns of the opponent can have been promoted, as far as the player knows. */
export interface Promotions {
  most: number;
  /** Whether the referee announces promotions. */
  announced: boolean;
}

const ANY_PROMOTION: Promotions = { most: FULL.pawn, announced: false };
/** The least number of moves that a pawn needs from its first square to the last rank. */
const MOVES_TO_PROMOTE = 5;

/** How many pawns of the opponent can have been promoted, from what the player heard. */
export function promotionsOf(hearings: readonly HearingJson[], seat: Side, ruleset: Pick<RulesetJson, "choices"> | null): Promotions {
  const all = hearings.flatMap((one) => one.heard);
  if (ruleset === null) return ANY_PROMOTION;
  const { promotion, reserve } = ruleset.choices;
  if (promotion === "side") return { most: all.filter((one) => one.kind === "promotion" && one.by !== seat).length, announced: true };
  const start = all.find((one) => one.kind === "start");
  const pawns = start === undefined ? [] : readBoard(start.men ?? "").filter((one) => one.man === "pawn");
  const usual = pawns.length > 0 && pawns.every(({ square }) => square.endsWith(seat === "white" ? "2" : "7"));
  // Under rules with drops, a pawn can be dropped near the last rank and promote soon.
  if (!usual || reserve === "drops" || !all.some((one) => one.kind === "turn")) return ANY_PROMOTION;
  const moves = hearings.filter(({ heard }) => turnIn(heard) === seat && !heard.some((one) => one.kind === "start")).length;
  return { most: Math.floor(moves / MOVES_TO_PROMOTE), announced: false };
}

/** Advice: says which placed men are too many; null if all are possible. */
export function tooMany(guess: Guess, left: LeftJson | null, promotions: Promotions = ANY_PROMOTION): string | null {
  left ??= BOX;
  const men = Object.values(guess);
  const placed = (man: Man): number => men.filter((m) => m === man).length;
  const pawns = placed("pawn");
  const kings = placed("king");
  const pieces = men.length - pawns - kings;
  if (kings > 1) return t("game-guesses-one-king");
  if (pawns > left.pawns) return t("game-guesses-pawns-left", { pawns: left.pawns });
  // Every remaining pawn that is not placed as a pawn may have been promoted, so it may be placed
  // as another man.
  const room = left.pawns - pawns;
  const promoted = Math.min(room, promotions.most);
  if (pieces > left.pieces + promoted) return t("game-guesses-pieces-left", { pieces: left.pieces + promoted, pawns: pawns > 0 });
  if (left.men !== null && men.length > left.men) return t("game-guesses-men-left", { men: left.men });
  const extra = tray(guess, left).filter(({ man, most }) => man !== "pawn" && man !== "king" && placed(man) > most);
  const needed = extra.reduce((sum, { man, most }) => sum + placed(man) - most, 0);
  const first = extra[0];
  if (first === undefined || needed <= promoted) return null;
  if (promotions.most === 0) return promotions.announced ? t("game-guesses-none-announced", { man: first.man, count: first.most }) : t("game-guesses-none-yet", { man: first.man, count: first.most });
  return needed > room ? t("game-guesses-no-pawn-left", { man: first.man, count: first.most, pawns }) : t("game-guesses-promoted-left", { pawns: promotions.most });
}

/** The guess without men that are on squares of the player's own men. */
export function prune(guess: Guess, own: ReadonlySet<Square>): Guess {
  return Object.fromEntries(Object.entries(guess).filter(([square]) => !own.has(square)));
}

/** A guess with only as many men as can be left: pawns go first, then knights, bishops and rooks. */
export function fitted(guess: Guess, left: LeftJson | null, promotions?: Promotions): Guess {
  const set = { ...guess };
  while (tooMany(set, left, promotions) !== null) {
    const squares = Object.keys(set).sort();
    const pawns = squares.filter((square) => set[square] === "pawn").length;
    const order: Man[] = pawns > (left ?? BOX).pawns || left?.men != null ? ["pawn", "knight", "bishop", "rook", "queen"] : ["knight", "bishop", "rook", "queen", "pawn"];
    const man = order.find((one) => squares.some((square) => set[square] === one));
    const last = squares.findLast((square) => set[square] === man);
    if (last === undefined) return set;
    delete set[last];
  }
  return set;
}

/** The opponent's men at the start: each stands opposite to the same man of the player. */
export const opening = (own: readonly Placed[]): Guess =>
  Object.fromEntries(own.map(({ square, man }) => [`${square.charAt(0)}${9 - Number(square.charAt(1))}`, man]));

export interface TypedGuess {
  square: Square;
  /** The man; null removes the guess. */
  man: Man | null;
}

/** Reads typed guesses: `ke8 qd8`, `Q d8`, `e5` (a pawn), `-d8` (no man). Returns null if any of them cannot be read. */
export function readGuesses(text: string): TypedGuess[] | null {
  const all: TypedGuess[] = [];
  const rest = text.toLowerCase().replace(/(-|x|[a-z])?\s*([a-h][1-8])/g, (whole, letter: string | undefined, square: Square) => {
    const man = letter === undefined ? "pawn" : manOfOwn(letter);
    if (letter !== "-" && letter !== "x" && man === undefined) return whole;
    all.push({ square, man: man ?? null });
    return "";
  });
  return all.length > 0 && /^[\s,;.]*$/.test(rest) ? all : null;
}

const key = (game: string, seat: string): string => `guesses:${game}:${seat}`;

export function load(game: string, seat: string): Guesses {
  try {
    const kept = JSON.parse(localStorage.getItem(key(game, seat)) ?? "null") as Guesses | null;
    if (kept !== null && NAMES.includes(kept.shown) && NAMES.every((n) => typeof kept.sets[n] === "object"))
      return kept;
  } catch {
    // If the stored data is invalid, there are no guesses.
  }
  return none();
}

export function keep(game: string, seat: string, guesses: Guesses): void {
  try {
    localStorage.setItem(key(game, seat), JSON.stringify(guesses));
  } catch {
    // If the storage is full or not available, the guesses are missing at the next visit.
  }
}

/** The user's arrows and circles on the board of a game. */
export function loadDrawings(game: string): DrawShape[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(`drawings:${game}`) ?? "[]");
    return Array.isArray(kept) ? (kept as DrawShape[]) : [];
  } catch {
    return [];
  }
}
export function keepDrawings(game: string, drawings: readonly DrawShape[]): void {
  try {
    localStorage.setItem(`drawings:${game}`, JSON.stringify(drawings));
  } catch {
    // If the storage is full or not available, the drawings are missing at the next visit.
  }
}

/** The guess after each change. The key is the number of the latest hearing before the change. */
export type GuessSteps = Record<number, Guess>;

const stepsKey = (game: string, seat: string): string => `guess-steps:${game}:${seat}`;

export function loadSteps(game: string, seat: string): GuessSteps {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(stepsKey(game, seat)) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as GuessSteps) : {};
  } catch {
    return {};
  }
}

/** Stores the guess of a step, unless it is the same as the guess before. */
export function keepStep(game: string, seat: string, n: number, guess: Guess): void {
  const steps = loadSteps(game, seat);
  const before = guessAt(steps, n - 1);
  if (JSON.stringify(before) === JSON.stringify(guess)) delete steps[n];
  else steps[n] = guess;
  try {
    localStorage.setItem(stepsKey(game, seat), JSON.stringify(steps));
  } catch {
    // If the storage is full or not available, the review shows no guesses.
  }
}

/** The guess that the player had after a hearing. */
export function guessAt(steps: GuessSteps, n: number): Guess {
  const last = Math.max(-1, ...Object.keys(steps).map(Number).filter((one) => one <= n));
  return steps[last] ?? {};
}
