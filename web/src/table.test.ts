import { describe, expect, it } from "vitest";
import { leftOf } from "./clock";
import { Table } from "./table.svelte";
import type { ClientSays, ClocksJson, GameJson, HearingJson, RefusalCode, SeatViewJson } from "./wire";

const reading = (at: number, white: number, black: number, running: "white" | "black" | null): ClocksJson => ({
  white,
  black,
  running,
  at,
});

const game = (status: GameJson["status"], clocks: ClocksJson | null): GameJson =>
  ({ id: "g", status, clocks, seat: "white", offers: null }) as unknown as GameJson;

const hearing = (n: number, clocks: ClocksJson | null): HearingJson => ({ n, heard: [], clocks });

describe("the clocks of a table", () => {
  const first = reading(1000, 60_000, 60_000, "white");
  const second = reading(5000, 56_000, 60_000, "black");
  const third = reading(9000, 56_000, 56_000, "white");

  it("are not set back by an older reading", () => {
    const table = new Table("g", () => true);
    table.hear({ type: "game", game: game("running", third) });
    table.hear({ type: "heard", game: "g", hearing: hearing(1, first) });
    expect(table.clocks).toEqual(third);
    table.hear({ type: "heard", game: "g", hearing: hearing(2, second) });
    expect(table.clocks).toEqual(third);
    table.hear({ type: "game", game: game("running", second) });
    expect(table.clocks).toEqual(third);
  });

  it("follow every newer reading, from a hearing or from a game message", () => {
    const table = new Table("g", () => true);
    table.hear({ type: "game", game: game("running", first) });
    expect(table.clocks).toEqual(first);
    table.hear({ type: "heard", game: "g", hearing: hearing(1, second) });
    expect(table.clocks).toEqual(second);
    table.hear({ type: "heard", game: "g", hearing: hearing(2, null) });
    expect(table.clocks).toEqual(second);
    table.hear({ type: "game", game: game("running", third) });
    expect(table.clocks).toEqual(third);
    expect(leftOf(third, "white", 10_000)).toBe(55_000);
  });

  it("are those of the game message if the game is adjourned or over", () => {
    for (const status of ["adjourned", "over"] as const) {
      const table = new Table("g", () => true);
      table.hear({ type: "game", game: game("running", third) });
      const stopped = reading(9000, 54_000, 56_000, null);
      table.hear({ type: "game", game: game(status, stopped) });
      expect(table.clocks).toEqual(stopped);
      expect(leftOf(stopped, "white", 900_000)).toBe(54_000);
      table.forget();
      expect(table.clocks).toBeNull();
    }
  });
});

describe("a hearing that got lost", () => {
  it("is asked for before anything later is shown", () => {
    const said: ClientSays[] = [];
    const table = new Table("g", (message) => said.push(message) > 0);
    const asks = (): number => said.filter((message) => message.type === "watch" && message.after === 1).length;
    table.hear({ type: "game", game: game("running", null) });
    table.hear({ type: "heard", game: "g", hearing: hearing(1, null) });
    table.hear({ type: "view", game: "g", view: { n: 2 } as SeatViewJson });
    expect([asks(), table.view]).toEqual([1, null]);
    table.hear({ type: "heard", game: "g", hearing: hearing(3, null) });
    expect([asks(), table.last]).toEqual([2, 1]);
    for (const n of [2, 3]) table.hear({ type: "heard", game: "g", hearing: hearing(n, null) });
    table.hear({ type: "view", game: "g", view: { n: 3 } as SeatViewJson });
    expect([asks(), table.last, table.view?.n]).toEqual([2, 3, 3]);
  });
});

describe("a try that the club refuses", () => {
  const idsOf = (code: RefusalCode): string[] => {
    const said: ClientSays[] = [];
    const table = new Table("g", (message) => said.push(message) > 0);
    table.hear({ type: "game", game: game("running", null) });
    table.hear({ type: "heard", game: "g", hearing: hearing(1, null) });
    const attempt = (text: string): void => {
      table.try(text);
      const id = said.flatMap((message) => (message.type === "try" ? [message.id] : [])).at(-1) ?? null;
      table.hear({ type: "refused", id, game: null, request: "try", code, reason: "store", args: {}, retry_after_ms: null });
      expect(table.waiting).toBeNull();
    };
    for (const text of ["e2e4", "d2d4", "e2e4"]) attempt(text);
    table.hear({ type: "heard", game: "g", hearing: hearing(2, null) });
    attempt("e2e4");
    return said.flatMap((message) => (message.type === "try" ? [message.id] : []));
  };

  it("is repeated with the same id if it may have been recorded", () => {
    const [first, second, again, later] = idsOf("unavailable");
    expect(again).toBe(first);
    expect(new Set([first, second, later]).size).toBe(3);
  });

  it("is repeated with a new id if it was not recorded", () => {
    expect(new Set(idsOf("not-understood")).size).toBe(4);
  });
});
