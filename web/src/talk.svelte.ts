// The messages at one game that this user may read.

import type { ClientSays, MessageJson, ServerSays, TalkGroupJson } from "./wire";

/** A message with the group that reads it. */
export interface Line extends MessageJson {
  group: TalkGroupJson;
}

/** Number of messages of one group that the page keeps; the club keeps as many. */
const MOST = 200;

export class Talk {
  readonly game: string;
  lines: readonly Line[] = $state.raw([]);
  #say: (message: ClientSays) => boolean;
  /** The page reads the messages of these groups. */
  #groups = new Set<TalkGroupJson>();

  constructor(game: string, say: (message: ClientSays) => boolean) {
    this.game = game;
    this.#say = say;
  }

  /** Reads the messages of a group from now on. */
  read(group: TalkGroupJson): void {
    if (this.#groups.has(group)) return;
    this.#groups.add(group);
    this.#ask(group);
  }

  /** Asks for the messages that were missed. */
  catchUp(): void {
    for (const group of this.#groups) this.#ask(group);
  }

  /** Forgets everything, because the user has changed: the new user may belong to another group. */
  forget(): void {
    this.lines = [];
    this.#groups.clear();
  }

  /** Asks for all messages again, because the user's mutes have changed. */
  renew(): void {
    this.lines = [];
    this.catchUp();
  }

  hear(says: Extract<ServerSays, { type: "message" }>): void {
    const { group, message } = says;
    if (message.n <= this.#last(group)) return;
    const kept = this.lines.filter((one) => one.group !== group || one.n > message.n - MOST);
    this.lines = [...kept, { ...message, group }].sort((one, two) => one.at - two.at);
  }

  #ask(group: TalkGroupJson): void {
    this.#say({ type: "talk", game: this.game, group, after: this.#last(group) });
  }

  #last(group: TalkGroupJson): number {
    return Math.max(0, ...this.lines.filter((one) => one.group === group).map((one) => one.n));
  }
}
