import { afterAll, describe, expect, it, vi } from "vitest";
import type { SocketHandlers } from "./socket";
import { Table } from "./table.svelte";
import type { ServerSays } from "./wire";

const socket = vi.hoisted(() => ({ handlers: [] as SocketHandlers[], say: () => true }));
vi.mock("./socket", () => ({
  ClubSocket: class {
    say = socket.say;
    constructor(handlers: SocketHandlers) {
      socket.handlers.push(handlers);
    }
  },
}));

vi.useFakeTimers();
afterAll(() => vi.useRealTimers());

describe("a refusal without an id", async () => {
  const { club } = await import("./club.svelte");
  const hear = (message: ServerSays): void => socket.handlers[0]?.heard(message);
  const refused = (code: "not-found" | "forbidden" | "invalid", game?: string): Extract<ServerSays, { type: "refused" }> => ({ type: "refused", id: null, game, request: "watch", code, reason: "game-unknown", args: {}, retry_after_ms: null });

  it.each(["not-found", "forbidden", "invalid"] as const)("with %s concerns only the game that it names", (code) => {
    const [one, other] = [club.watch(new Table("one", club.say)), club.watch(new Table("other", club.say))];
    hear(refused(code, "one"));
    expect([one.missing?.reason, other.missing]).toEqual(["game-unknown", null]);
    club.leave(one);
    club.leave(other);
  });

  it("of a game that was left concerns no other game", () => {
    const open = club.watch(new Table("open", club.say));
    hear(refused("not-found", "left"));
    expect(open.missing).toBeNull();
    club.leave(open);
  });

  it("and without a game concerns an address that is not the id of a game", () => {
    const wrong = club.watch(new Table("no id", club.say));
    hear({ ...refused("invalid"), id: "a request" });
    expect(wrong.missing).toBeNull();
    hear(refused("invalid"));
    expect(wrong.missing?.reason).toBe("game-unknown");
    club.leave(wrong);
  });
});
