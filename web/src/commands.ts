// The commands of a player other than tries. Buttons, keys and help share this table.

import type { GameJson, SeatViewJson, TableAct } from "./wire";

export interface Command {
  /** The label of the button. */
  label: string;
  /** The key, which works unless the focus is in a field. */
  key: string | null;
  about: string;
  /** The text of the attempt, if the command goes to the referee. */
  word?: string;
  /** The act, if the command is an act at the table. */
  act?: TableAct;
  /** The question to confirm the command. */
  confirm?: string;
  when(view: SeatViewJson | null, game: GameJson, now: number): boolean;
}

const says =
  (word: string) =>
  (view: SeatViewJson | null, game: GameJson): boolean =>
    // The referee takes no attempts in an adjourned game.
    game.status === "running" && (view?.words.includes(word) ?? false);

const said = (label: string, word: string, key: string | null, about: string, confirm?: string): Command => ({
  label,
  key,
  about,
  word,
  when: says(word),
  ...(confirm === undefined ? {} : { confirm }),
});

const done = (label: string, act: TableAct, about: string, when: Command["when"], confirm?: string): Command => ({
  label,
  key: null,
  about,
  act,
  when,
  ...(confirm === undefined ? {} : { confirm }),
});

const running = (game: GameJson): boolean => game.seat !== null && game.status === "running";
const claimable = (game: GameJson, now: number): boolean =>
  running(game) && game.claim_from !== null && now >= game.claim_from;

/** Questions to the referee. */
export const QUESTIONS: readonly Command[] = [
  said("Any?", "any", "a", "asks whether a pawn of yours can capture"),
  said("Count", "count", "c", "asks how often your opponent was rebuffed"),
  said("Recap", "recap", "r", "asks for the last announcements again"),
  said("Play the pawn try", "px", "p", "plays the only announced pawn capture"),
];

/** Commands about the opponent and the game: draw offers, resignation, adjourning, claims. */
export const TABLE: readonly Command[] = [
  said("Accept draw", "accept-draw", null, "accepts the draw offer", "Accept the draw? The game ends."),
  said("Decline draw", "decline-draw", null, "declines the draw offer"),
  said("Offer draw", "offer-draw", null, "offers a draw"),
  said("Withdraw draw offer", "withdraw-draw", null, "withdraws your draw offer"),
  done("Claim the win", "claim-win", "your opponent is gone: claims the win", (_, game, now) => claimable(game, now)),
  done("Claim a draw", "claim-draw", "your opponent is gone: claims a draw", (_, game, now) => claimable(game, now)),
  done(
    "Abort",
    "abort",
    "ends the game without a result, before both players have moved",
    (_, game) => running(game) && game.can_abort,
    "Abort the game? It then ends without a result.",
  ),
  done(
    "Offer to adjourn",
    "adjourn",
    "offers to continue on another day",
    (_, game) => running(game) && !game.can_abort && game.offers?.adjourn === null,
  ),
  done(
    "Adjourn",
    "adjourn",
    "agrees to continue on another day",
    (_, game) => running(game) && game.offers?.adjourn !== null && game.offers?.adjourn !== game.seat,
  ),
  done(
    "Go on playing",
    "resume",
    "offers to continue the adjourned game, or accepts this offer",
    (_, game) => game.seat !== null && game.status === "adjourned" && game.offers?.adjourn !== game.seat,
  ),
  done(
    "Withdraw the offer",
    "decline-adjourn",
    "withdraws your offer to adjourn or to continue",
    (_, game) => game.seat !== null && game.status !== "over" && game.offers?.adjourn === game.seat,
  ),
  done(
    "Decline",
    "decline-adjourn",
    "declines the offer to adjourn or to continue",
    (_, game) =>
      game.seat !== null && game.status !== "over" && (game.offers?.adjourn ?? game.seat) !== game.seat,
  ),
  said("Resign", "resign", null, "resigns the game", "Resign? Your opponent wins."),
];

/** Commands after the end of the game. */
export const AFTER: readonly Command[] = [
  done(
    "Rematch",
    "rematch",
    "offers another game with exchanged colours, or accepts this offer",
    (_, game) =>
      game.seat !== null && game.status === "over" && game.offers?.next === null && game.offers.rematch !== game.seat,
  ),
  done(
    "Withdraw the rematch",
    "decline-rematch",
    "withdraws your offer of a rematch",
    (_, game) =>
      game.seat !== null && game.status === "over" && game.offers?.next === null && game.offers.rematch === game.seat,
  ),
  done(
    "Decline the rematch",
    "decline-rematch",
    "declines the offer of a rematch",
    (_, game) =>
      game.seat !== null &&
      game.status === "over" &&
      game.offers?.next === null &&
      (game.offers.rematch ?? game.seat) !== game.seat,
  ),
];

/** Other words that the referee accepts for these commands. */
export const ALIASES: Record<string, string> = {
  resigns: "resign",
  draw: "offer-draw",
  accept: "accept-draw",
  decline: "decline-draw",
  withdraw: "withdraw-draw",
};

/** Keys that are not commands of the table. */
export const KEYS: readonly { key: string; about: string }[] = [
  { key: "/", about: "goes to the field where a try is typed" },
  { key: "l", about: "reads the last call aloud again (screen readers)" },
  { key: "e", about: "explains the last call, and what else can be said" },
  { key: "?", about: "shows these keys" },
];
