// Messages between people: at a game, and for later.

import type { TalkGroupJson } from "../wire";

export const talk = {
  title: "Messages",
  with: { players: "with your opponent", spectators: "of the spectators" } satisfies Record<TalkGroupJson, string>,
  fresh: (count: number): string => `${count} new`,
  log: "Messages",
  nothing: "Nothing was written yet.",
  about: {
    player: "Only your opponent reads what you write here. Spectators do not.",
    spectator: "Only spectators read what you write here. The players read it when the game is over.",
    after: "Choose who reads what you write: your opponent, or everybody here.",
  },
  to: "To",
  groups: { players: "Your opponent", spectators: "Everybody here" } satisfies Record<TalkGroupJson, string>,
  text: "Your message",
  send: "Send",
  line: (from: string, text: string): string => `${from}: ${text}`,
  mute: (name: string): string => `Mute ${name}`,
  unmute: (name: string): string => `Unmute ${name}`,
  muted: (name: string): string => `You mute ${name}: you read no messages of ${name}, and cannot write to ${name}.`,
  waiting: {
    title: "Messages for you",
    from: (name: string, when: string): string => `**${name}**, ${when}`,
    remove: "Remove these messages",
    write: "Write to somebody",
    about: "The person reads your message at the next visit to this club.",
    name: "Name",
    left: (name: string): string => `Your message waits for ${name}.`,
  },
};
