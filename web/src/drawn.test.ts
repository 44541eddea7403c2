import { describe, expect, it, vi } from "vitest";
import { drawnOf } from "./drawn";
import { soundsOf } from "./sound";
import type { HeardJson, HearingJson } from "./wire";

vi.mock("./settings.svelte", () => ({ settings: { sound: true, volume: 1 } }));

const OPENED: HeardJson = { kind: "start", rules: "wild16", men: null, castling: null };
const MOVED: HeardJson = { kind: "moved", by: "black" };
const TURN: HeardJson = { kind: "turn", to_move: "white" };
const hearings = (...all: HeardJson[][]): HearingJson[] => [[OPENED], ...all].map((heard, n) => ({ n: n + 1, heard, clocks: null }));
/** What White's board draws, as `square: classes` and `from-to`. */
function drawn(heard: HeardJson[], men: string, tries: string[] = [], choices: Record<string, string> = {}): string {
  const view = { men, tries, refused: [] };
  const { squares, lines } = drawnOf(hearings([MOVED, ...heard, TURN]), "white", view, choices);
  return [...[...squares].filter(([, names]) => names !== "line").map(([square, names]) => `${square}: ${names}`), ...lines.map((ends) => ends.join("-"))].join("; ");
}
const check = (...directions: string[]): HeardJson => ({ kind: "check", directions });

describe("the drawing of what is announced", () => {
  it.each<[string, HeardJson[], string, string, string[]?, Record<string, string>?]>([
    ["a check without a direction", [check()], "8/8/8/8/8/8/8/4K3", "e1: check"],
    ["a file, as far as no own man is in the way", [check("file")], "8/8/4N3/8/8/8/4K3/4R3", "e2: check line; e2-e5"],
    ["a rank", [check("rank")], "8/8/8/8/8/8/8/R3K3", "e1: check line; b1-h1"],
    ["the long and the short diagonal", [check("long", "short")], "8/8/8/8/8/8/3K4/8", "d2: check line; c1-h6; a5-e1"],
    ["a knight", [check("knight")], "8/8/8/8/8/8/2P5/K7", "a1: check; b3: jump"],
    ["the place of a capture", [{ kind: "lost", square: "e4", man: "pawn" }], "8/8/8/8/8/8/8/K7", "e4: told"],
    ["a number of pawn tries: every pawn that can try", [{ kind: "tries", count: 1 }], "8/8/8/8/2P1P3/8/8/K7", "e4: meant", ["e4d5", "e4e5", "c4c5", "a1b2"]],
    ["no mark on every pawn", [{ kind: "tries", count: 1 }], "8/8/8/8/2P1P3/8/8/K7", "", ["e4d5", "c4d5"]],
    ["squares of pawn tries", [{ kind: "tries", squares: ["d5"] }], "8/8/8/8/2P1P3/8/8/K7", "d5: goal; e4: meant; c4: meant", ["e4d5", "c4d5", "e4f5"]],
    ["pawn tries by origin", [{ kind: "tries", squares: ["e4"] }], "8/8/8/8/2P1P3/8/8/K7", "e4: meant", ["e4d5", "c4d5"], { pawn_try_square: "origin" }],
    ["no pawn try", [{ kind: "tries", count: 0 }], "8/8/8/8/4P3/8/8/K7", "", ["e4d5"]],
  ])("%s", (_, heard, men, expected, tries, choices) => expect(drawn(heard, men, tries, choices)).toBe(expected));

  it("ends with the turn, and a spectator sees captures only", () => {
    const over = hearings([MOVED, check("file"), TURN], [{ kind: "moved", by: "white", attempt: "e1d1" }, { kind: "turn", to_move: "black" }]);
    const view = { men: "8/8/8/8/8/8/8/3K4", tries: [], refused: [] };
    expect([...drawnOf(over, "white", view, {}).squares]).toEqual([["e1", "mine"], ["d1", "mine"]]);
    const seen = drawnOf(hearings([MOVED, { kind: "capture", square: "d5", man: "pawn", en_passant: false }, check("file"), TURN]), null, null, {});
    expect([[...seen.squares], seen.lines]).toEqual([[["d5", "told"]], []]);
  });
});

describe("the sounds of a hearing", () => {
  it.each<[HeardJson[], string]>([
    [[MOVED, TURN], "theirs"],
    [[MOVED, { kind: "lost", square: "e4", man: "pawn" }, check("file"), { kind: "tries", count: 2 }, TURN], "check capture tries"],
    [[MOVED, check(), { kind: "over", result: "0-1", reason: "checkmate" }], "over"],
    [[OPENED], ""],
    [[{ kind: "tries", any: true }], "tries"],
    [[{ kind: "tries", any: false }], ""],
    [[{ kind: "tries", count: 0 }], ""],
    [[{ kind: "tries", squares: ["d5"] }], "tries"],
    [[{ kind: "tries", squares: [], double: [] }], ""],
    [[{ kind: "tries", squares: [], double: ["d6"] }], "tries"],
  ])("%j: %s", (heard, sounds) => expect(soundsOf(heard, "white").join(" ")).toBe(sounds));
});
