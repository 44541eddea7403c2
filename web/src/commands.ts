// The commands of a player other than tries. Buttons, keys and help share this table.

import { t } from "./language.svelte";
import type { GameJson, SeatViewJson, TableAct } from "./wire";

export type CommandId =
  | ("any" | "count" | "recap" | "px" | "accept-draw" | "decline-draw" | "offer-draw" | "withdraw-draw" | "claim-win" | "claim-draw" | "abort" | "resign")
  | ("offer-adjourn" | "adjourn" | "resume" | "withdraw-adjourn" | "decline-adjourn" | "rematch" | "withdraw-rematch" | "decline-rematch");

export interface Command {
  id: CommandId;
  /** The label of the button. */
  readonly label: string;
  /** The key, which works unless the focus is in a field. */
  key: string | null;
  readonly about: string;
  /** The text of the attempt, if the command goes to the referee. */
  word?: string;
  /** The act, if the command is an act at the table. */
  act?: TableAct;
  /** The question to confirm the command. */
  readonly confirm?: string | undefined;
  when(view: SeatViewJson | null, game: GameJson, now: number): boolean;
}

const says =
  (word: string) =>
  (view: SeatViewJson | null, game: GameJson): boolean =>
    // The referee takes no attempts in an adjourned game.
    game.status === "running" && (view?.words.includes(word) ?? false);

/** A command with its texts in the language of the moment. */
const command = (id: CommandId, rest: Pick<Command, "key" | "word" | "act" | "when">): Command => ({
  id,
  ...rest,
  get label() {
    return t(`game-commands-${id}`);
  },
  get about() {
    return t(`game-about-${id}`);
  },
  get confirm() {
    return t(`game-confirm-${id}`) || undefined;
  },
});

const said = (id: CommandId, key: string | null = null, word: string = id): Command => command(id, { key, word, when: says(word) });

const done = (id: CommandId, act: TableAct, when: Command["when"]): Command => command(id, { key: null, act, when });

const running = (game: GameJson): boolean => game.seat !== null && game.status === "running";
const claimable = (game: GameJson, now: number): boolean =>
  running(game) && game.claim_from !== null && now >= game.claim_from;

const adjourned = (game: GameJson): boolean => game.seat !== null && game.status === "adjourned";
/** Whether a rematch can be offered or accepted: the game is over, and no next game has begun. */
const open = (game: GameJson): boolean => game.seat !== null && game.status === "over" && game.offers?.next === null;

/** Questions to the referee. */
export const QUESTIONS: readonly Command[] = [said("any", "a"), said("count", "c"), said("recap", "r"), said("px", "p")];

/** Commands about the opponent and the game: draw offers, resignation, adjourning, claims. */
export const TABLE: readonly Command[] = [
  said("accept-draw"),
  said("decline-draw"),
  said("offer-draw"),
  said("withdraw-draw"),
  done("claim-win", "claim-win", (_, game, now) => claimable(game, now)),
  done("claim-draw", "claim-draw", (_, game, now) => claimable(game, now)),
  done("abort", "abort", (_, game) => running(game) && game.can_abort),
  done("offer-adjourn", "adjourn", (_, game) => running(game) && !game.can_abort && game.offers?.adjourn === null),
  done("adjourn", "adjourn", (_, game) => running(game) && game.offers?.adjourn !== null && game.offers?.adjourn !== game.seat),
  done("resume", "resume", (_, game) => adjourned(game) && game.offers?.adjourn !== game.seat),
  done(
    "withdraw-adjourn",
    "decline-adjourn",
    (_, game) => game.seat !== null && game.status !== "over" && game.offers?.adjourn === game.seat,
  ),
  done(
    "decline-adjourn",
    "decline-adjourn",
    (_, game) => game.seat !== null && game.status !== "over" && (game.offers?.adjourn ?? game.seat) !== game.seat,
  ),
  said("resign"),
];

/** Commands that answer an offer of the opponent, or claim a win or a draw. */
export const ANSWERS: ReadonlySet<CommandId> = new Set(["accept-draw", "adjourn", "decline-adjourn", "claim-win", "claim-draw"]);

/** Commands after the end of the game. */
export const AFTER: readonly Command[] = [
  done("rematch", "rematch", (_, game) => open(game) && game.offers?.rematch !== game.seat),
  done("withdraw-rematch", "decline-rematch", (_, game) => open(game) && game.offers?.rematch === game.seat),
  done("decline-rematch", "decline-rematch", (_, game) => open(game) && (game.offers?.rematch ?? game.seat) !== game.seat),
];

/** Other words that the referee accepts for these commands. */
export const ALIASES: Record<string, string> = {
  resigns: "resign",
  draw: "offer-draw",
  accept: "accept-draw",
  decline: "decline-draw",
  withdraw: "withdraw-draw",
};
