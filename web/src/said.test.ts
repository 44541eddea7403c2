import { describe, expect, it } from "vitest";
import { joined, saidTo } from "./said";
import { causeText, saysWhoHears, shortCause } from "./words/causes";
import type { CauseJson, HeardJson, Side } from "./wire";

const MOVED: HeardJson = { kind: "moved", by: "black" };
const TURN: HeardJson = { kind: "turn", to_move: "white" };
const lost = (square: string, man: "bishop" | "pawn" | "queen"): HeardJson => ({ kind: "lost", square, man });
const capture = (square: string | null, man: "piece" | "pawn" | "bishop" | null, en_passant = false): HeardJson => ({ kind: "capture", square, man, en_passant });

/** The page's text for a seat about one hearing. */
const said = (seat: Side | null, ...heard: HeardJson[]): string => joined(saidTo(heard, { seat, choices: {} }));

describe("the loss of an own man", () => {
  it.each([
    ["a piece", lost("a6", "bishop"), capture("a6", "piece"), true],
    ["the same man", lost("a6", "bishop"), capture("a6", "bishop"), true],
    ["a man of which nothing is announced", lost("a6", "bishop"), capture("a6", null), true],
    ["a pawn", lost("e4", "pawn"), capture("e4", "pawn"), true],
    ["en passant", lost("e4", "pawn"), capture("e4", "pawn", true), false],
    ["another square, where the capturing man lands", lost("e4", "pawn"), capture("e3", "pawn"), false],
    ["a promoted man, which is announced as a pawn", lost("h8", "queen"), capture("h8", "pawn"), false],
  ] as const)("is said once, or twice if the capture says more: %s", (_, gone, captured, once) => {
    const text = said("white", gone, captured, TURN);
    expect(text).toMatch(once ? /^Your \w+ on \w+ is gone\. White to move\.$/ : /^Your \w+ on \w+ is gone\. \w+ gone on .*\. White to move\.$/);
  });
  it("is not heard by spectators, so they hear the capture", () => {
    expect(said(null, capture("a6", "piece"))).toBe("Piece gone on a6.");
  });
});

describe("pawn tries", () => {
  it.each([
    [{ kind: "tries", count: 0 }, "You have no pawn tries.", "Your opponent has no pawn tries.", "White has no pawn tries."],
    [{ kind: "tries", count: 1 }, "You have 1 pawn try.", "Your opponent has 1 pawn try.", "White has 1 pawn try."],
    [{ kind: "tries", any: true }, "You have a pawn capture.", "Your opponent has a pawn capture.", "White has a pawn capture."],
    [{ kind: "tries", squares: [] }, "You have no pawn tries.", "Your opponent has no pawn tries.", "White has no pawn tries."],
    [{ kind: "tries", squares: ["d4", "f4"] }, "Your pawn tries: d4, f4.", "Your opponent's pawn tries: d4, f4.", "White's pawn tries: d4, f4."],
    [
      { kind: "tries", squares: ["d5"], double: ["f5"] },
      "Your single pawn tries: d5. Your double pawn tries: f5.",
      "Your opponent's single pawn tries: d5. Your opponent's double pawn tries: f5.",
      "White's single pawn tries: d5. White's double pawn tries: f5.",
    ],
  ] as const)("%o belong to the player to move", (told, own, theirs, room) => {
    for (const [seat, expected] of [["white", own], ["black", theirs], [null, room]] as const)
      expect(said(seat, MOVED, told as unknown as HeardJson, TURN)).toBe(`Black has moved. ${expected} White to move.`);
  });
  it("are not mentioned if the referee says nothing", () => {
    expect(said("white", MOVED, { kind: "tries", any: false }, TURN)).toBe("Black has moved. White to move.");
  });
});

describe("the result", () => {
  it("is addressed to the winner and to the loser", () => {
    const over: HeardJson = { kind: "over", result: "0-1", reason: "resignation" };
    expect(said("black", over)).toBe("You won: your opponent resigned, 0-1.");
    expect(said("white", over)).toBe("You lost: you resigned, 0-1.");
    expect(said(null, over)).toBe("White resigns: Black wins, 0-1.");
  });
});

describe("what says nothing new", () => {
  it("is marked", () => {
    const sentences = saidTo([MOVED, { kind: "tries", count: 0 }, TURN], { seat: "white", choices: {} });
    expect(sentences.map(({ stale }) => stale)).toEqual([null, "none", "turn"]);
  });
});

describe("the reason of a no", () => {
  const mover = { no_heard: "mover", nonsense_heard: "mover", obligation: "make", announced_check: "castling" };
  const all: CauseJson[] = ["no-pawn", "impossible", "no-such-pawn-try", "not-an-answer", "pawn-capture-due", "tries-spent", "repeated", "nonsense", "own-men", "castling", "pawn-capture", "drop", "king-there", "check", "way"];
  it("says who hears of it, and that the turn has not changed", () => {
    expect(causeText("way", mover)).toBe("This try is illegal in the actual position: an unseen man is in the way, or your king would be in check. It is still your turn. Nobody else hears of this try.");
    expect(causeText("pawn-capture-due", { ...mover, nonsense_heard: "both" })).toBe("You must make a pawn capture. It is still your turn. Everybody hears that a try was refused, but not which one.");
    expect([saysWhoHears("way", mover), saysWhoHears("impossible", mover)]).toEqual([true, false]);
  });
  it("is short under the call, and leaves out the turn where the page says the same", () => {
    for (const cause of all) {
      expect(shortCause(cause, mover)).toMatch(/^(?!.*(still|actual position))[A-Z].*\.$/);
      expect(causeText(cause, mover, false)).not.toContain("It is still your turn");
    }
  });
});
