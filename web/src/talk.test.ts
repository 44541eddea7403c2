import { describe, expect, it } from "vitest";
import { Talk } from "./talk.svelte";
import type { ClientSays, TalkGroupJson } from "./wire";

const message = (group: TalkGroupJson, n: number, text = `${group} ${n}`) =>
  ({ type: "message", game: "g", group, message: { n, from: { name: "anna", kind: "person" }, at: n, text } }) as const;

describe("the messages at a game", () => {
  it("asks for each group once, and again from the last message after a lost connection", () => {
    const asked: ClientSays[] = [];
    const talk = new Talk("g", (says) => asked.push(says) > 0);
    talk.catchUp();
    expect(asked).toEqual([]);
    talk.read("players");
    talk.read("players");
    talk.hear(message("players", 3));
    talk.catchUp();
    expect(asked).toEqual([
      { type: "talk", game: "g", group: "players", after: 0 },
      { type: "talk", game: "g", group: "players", after: 3 },
    ]);
  });

  it("shows each message once; the two groups have separate numbers", () => {
    const talk = new Talk("g", () => true);
    talk.read("players");
    talk.read("spectators");
    for (const one of [message("players", 1), message("players", 1), message("spectators", 1), message("players", 2)]) talk.hear(one);
    expect(talk.lines.map((line) => line.text)).toEqual(["players 1", "spectators 1", "players 2"]);
  });

  it("forgets the groups of an earlier user", () => {
    const asked: ClientSays[] = [];
    const talk = new Talk("g", (says) => asked.push(says) > 0);
    talk.read("players");
    talk.hear(message("players", 1));
    talk.forget();
    talk.catchUp();
    expect(talk.lines).toEqual([]);
    expect(asked.length).toBe(1);
    // Another list of mutes: everything is read again.
    talk.read("spectators");
    talk.hear(message("spectators", 7));
    talk.renew();
    expect(asked.at(-1)).toEqual({ type: "talk", game: "g", group: "spectators", after: 0 });
  });
});
