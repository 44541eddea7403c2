// A game as it is followed from this seat: what was heard, what the seat
// knows, and what was said that is not answered yet.

import type {
  ClientSays,
  ClocksJson,
  GameJson,
  GameStatus,
  HearingJson,
  RefusalCode,
  SeatViewJson,
  ServerSays,
  Side,
  TableAct,
} from "./wire";
import { latest } from "./clock";
import { turnIn } from "./turns";

/** What came back upon the last thing said. */
export interface Said {
  text: string;
  /** The referee's word, or the code of a refusal. */
  answer: string;
  why: string;
  /** Whether it was said to the other player, not to the referee. */
  act: boolean;
  /** Nothing was done. */
  refused: RefusalCode | null;
}

type Message = Extract<ClientSays, { id: string }>;

const newId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
};

export class Table {
  readonly id: string;
  game: GameJson | null = $state.raw(null);
  view: SeatViewJson | null = $state.raw(null);
  hearings: readonly HearingJson[] = $state.raw([]);
  clocks: ClocksJson | null = $state.raw(null);
  said: Said | null = $state.raw(null);
  /** What waits for its answer; null when nothing does. */
  waiting: string | null = $state(null);
  /** Rises with every answer: the board is drawn anew from what is known. */
  revision = $state(0);
  missing: string | null = $state(null);
  /** Told of each new hearing; not of those that were missed. */
  onHearing: ((hearing: HearingJson) => void) | null = null;

  /** Told that somebody else sits here now. */
  onForget: (() => void) | null = null;

  #say: (message: ClientSays) => boolean;
  #unanswered = new Map<string, Message>();
  /** Where the game stood when something was last said. */
  #stood: GameStatus | null = null;
  /** Whether all that was heard before this page was opened has arrived. */
  #caughtUp = false;

  constructor(id: string, say: (message: ClientSays) => boolean) {
    this.id = id;
    this.#say = say;
  }

  get last(): number {
    return this.hearings.at(-1)?.n ?? 0;
  }

  /** Who is to move, as far as was heard; null when nobody is. */
  get toMove(): Side | null {
    if (this.game === null || this.game.status !== "running") return null;
    if (this.view !== null) return this.view.to_move;
    for (const hearing of this.hearings.toReversed()) {
      const turn = turnIn(hearing.heard);
      if (turn !== null) return turn === "over" ? null : turn;
    }
    return null;
  }

  /** Asks for what was missed, and says again what was not answered. */
  catchUp(): void {
    this.#say({ type: "watch", game: this.id, after: this.last });
    for (const message of this.#unanswered.values()) this.#say(message);
  }

  /** Another person sits here now: what was heard is not theirs. */
  forget(): void {
    this.game = null;
    this.view = null;
    this.hearings = [];
    this.clocks = null;
    this.said = null;
    this.waiting = null;
    this.missing = null;
    this.#unanswered.clear();
    this.#caughtUp = false;
    this.onForget?.();
  }

  try(text: string): void {
    this.#send({ type: "try", id: newId(), game: this.id, after: this.last, text }, text);
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
        // What an act was answered holds until the table stands otherwise.
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
        this.#caughtUp = true;
        if (this.view !== null && message.view.n < this.view.n) return;
        this.view = message.view;
        this.revision += 1;
        return;
      case "answer":
        this.#answered(message.id, message.answer, message.why, null);
        return;
      case "refused":
        if (message.id !== null) this.#answered(message.id, message.code, message.why, message.code);
        return;
      case "welcome":
      case "lobby":
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
    // A new turn of one's own: what was said before it is no longer of use.
    if (turn !== null && this.game !== null && turn === this.game.seat) this.said = null;
    if (this.#caughtUp || this.game?.seat === null) this.onHearing?.(hearing);
  }

  #answered(id: string, answer: string, why: string, refused: RefusalCode | null): void {
    const message = this.#unanswered.get(id);
    if (message === undefined) return;
    this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.waiting = null;
    const act = message.type === "act";
    // The game stands otherwise by now: what the act was answered is no longer so.
    const passed = act && refused === null && this.#stood !== (this.game?.status ?? null);
    this.said = passed ? null : { text: message.type === "try" ? message.text : message.act, answer, why, act, refused };
    this.revision += 1;
  }
}
