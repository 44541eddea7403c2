// One game, as the user hears it: what was heard, what the user's seat knows, and the requests that
// the club has not answered yet.

import type {
  CauseJson,
  ClientSays,
  ClocksJson,
  GameJson,
  GameStatus,
  HearingJson,
  SeatViewJson,
  ServerSays,
  Side,
  TableAct,
} from "./wire";
import { latest } from "./clock";
import { Talk } from "./talk.svelte";
import { turnIn } from "./turn";
import type { Refusal } from "./words/refusals";

/** The answer to the last request. */
export interface Said {
  text: string;
  /** The answer of the referee in one word, or the code of a refusal. */
  answer: string;
  /** Why the referee refused an attempt. */
  cause: CauseJson | null;
  /** Whether the request was an act at the table, not an attempt for the referee. */
  act: boolean;
  /** The refusal of the club; null if the request was carried out. */
  refused: Refusal | null;
}

/** Refusals that the field for a try answers: they are questions of the user. */
const ASIDE = new Set(["question", "help"]);

/** A request that is sent again after a lost connection. */
type Message = Extract<ClientSays, { type: "try" | "act" }>;

export const newId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
};

export class Table {
  readonly id: string;
  /** The messages at this game. */
  readonly talk: Talk;
  game: GameJson | null = $state.raw(null);
  view: SeatViewJson | null = $state.raw(null);
  hearings: readonly HearingJson[] = $state.raw([]);
  clocks: ClocksJson | null = $state.raw(null);
  said: Said | null = $state.raw(null);
  /** The text of the request that is not answered yet; null if there is none. */
  waiting: string | null = $state(null);
  /** A number that increases with every answer. When it changes, the board is drawn again from what is known. */
  revision = $state(0);
  missing: Refusal | null = $state.raw(null);
  /** Called for each new hearing, but not for the earlier hearings that arrive when the table is opened. */
  onHearing: ((hearing: HearingJson) => void) | null = null;

  /** Called when the table has forgotten everything; see `forget`. */
  onForget: (() => void) | null = null;

  #say: (message: ClientSays) => boolean;
  #unanswered = new Map<string, Message>();
  /** Tries that the club could not confirm: it may have recorded them. */
  #unconfirmed: Extract<Message, { type: "try" }>[] = [];
  /** The status of the game when the last request was sent. */
  #stood: GameStatus | null = null;
  /** Whether the hearings of the time before the table was opened have arrived. */
  #caughtUp = false;

  constructor(id: string, say: (message: ClientSays) => boolean) {
    this.id = id;
    this.#say = say;
    this.talk = new Talk(id, say);
  }

  get last(): number {
    return this.hearings.at(-1)?.n ?? 0;
  }

  /** The side to move, according to what was heard; null if there is none. */
  get toMove(): Side | null {
    if (this.game === null || this.game.status !== "running") return null;
    if (this.view !== null) return this.view.to_move;
    for (const hearing of this.hearings.toReversed()) {
      const turn = turnIn(hearing.heard);
      if (turn !== null) return turn === "over" ? null : turn;
    }
    return null;
  }

  /** The refusal to show beside the call; null if there is none, or if the field for a try answers it. */
  get refusal(): Refusal | null {
    const refused = this.said?.refused ?? null;
    return refused === null || ASIDE.has(refused.reason ?? "") || refused.reason === "impossible" ? null : refused;
  }

  /** Asks for the hearings that were missed, and sends the unanswered requests again. */
  catchUp(): void {
    this.#say({ type: "watch", game: this.id, after: this.last });
    for (const message of this.#unanswered.values()) this.#say(message);
    this.talk.catchUp();
  }

  /** Forgets everything that the club has sent, because the user has changed, or because the club has lost a hearing. */
  forget(): void {
    this.game = null;
    this.view = null;
    this.hearings = [];
    this.clocks = null;
    this.said = null;
    this.waiting = null;
    this.missing = null;
    this.#unanswered.clear();
    this.#unconfirmed = [];
    this.#caughtUp = false;
    this.talk.forget();
    this.onForget?.();
  }

  /**
   * Sends an attempt. If the club could not confirm the same attempt before, and nothing was heard
   * since, the attempt has the same id, so the club judges it only once.
   * With `ask`, the club asks back before it tells the referee.
   */
  try(text: string, ask = false): void {
    const after = this.last;
    const id = this.#unconfirmed.find((tried) => tried.after === after && tried.text === text)?.id ?? newId();
    this.#send({ type: "try", id, game: this.id, after, text, ...(ask ? { ask } : {}) }, text);
  }

  act(act: TableAct): void {
    this.#send({ type: "act", id: newId(), game: this.id, act }, act);
  }

  #send(message: Message, text: string): void {
    this.#unanswered.set(message.id, message);
    this.waiting = text;
    this.#stood = this.game?.status ?? null;
    this.#say(message);
  }

  hear(message: ServerSays): void {
    switch (message.type) {
      case "game": {
        const before = this.game;
        this.game = message.game;
        // The answer to an act is shown until the status of the game or the offer to adjourn changes.
        const same = before?.status === this.game.status && before.offers?.adjourn === this.game.offers?.adjourn;
        if (!same && this.said?.act === true && this.waiting === null) this.said = null;
        this.clocks = latest(this.clocks, message.game.clocks);
        if (message.game.status !== "running") this.clocks = message.game.clocks ?? this.clocks;
        return;
      }
      case "heard":
        this.#hearing(message.hearing);
        return;
      case "view":
        // A hearing before this view got lost.
        if (message.view.n > this.last) return this.catchUp();
        this.#caughtUp = true;
        if (this.view !== null && message.view.n < this.view.n) return;
        this.view = message.view;
        this.revision += 1;
        return;
      case "answer":
        this.#answered(message.id, message.answer, message.cause ?? null, null);
        return;
      case "refused":
        if (message.id !== null) this.#answered(message.id, message.code, null, message);
        return;
      case "message":
        this.talk.hear(message);
        return;
      case "welcome":
      case "lobby":
      case "lobby-changes":
      case "pong":
      case "bye":
        return;
    }
  }

  waitsFor(id: string | null): boolean {
    return id !== null && this.#unanswered.has(id);
  }

  #hearing(hearing: HearingJson): void {
    if (hearing.n <= this.last) return;
    if (hearing.n > this.last + 1) {
      this.catchUp();
      return;
    }
    this.hearings = [...this.hearings, hearing];
    this.clocks = latest(this.clocks, hearing.clocks);
    const turn = turnIn(hearing.heard);
    // The player's own turn begins, so the answer to an earlier request is outdated.
    if (turn !== null && this.game !== null && turn === this.game.seat) this.said = null;
    if (this.#caughtUp || this.game?.seat === null) this.onHearing?.(hearing);
  }

  #answered(id: string, answer: string, cause: CauseJson | null, refused: Refusal | null): void {
    const message = this.#unanswered.get(id);
    if (message === undefined) return;
    this.#unanswered.delete(id);
    if (refused?.code === "unavailable" && message.type === "try")
      this.#unconfirmed = [...this.#unconfirmed.filter((tried) => tried.after === message.after && tried.id !== id), message];
    if (this.#unanswered.size === 0) this.waiting = null;
    const act = message.type === "act";
    // If the status of the game has changed since the act was sent, the answer to the act is
    // outdated.
    const passed = act && refused === null && this.#stood !== (this.game?.status ?? null);
    this.said = passed ? null : { text: message.type === "try" ? message.text : message.act, answer, cause, act, refused };
    this.revision += 1;
  }
}
