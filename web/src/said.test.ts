import { describe, expect, it } from "vitest";
import { endSaid, saidTo } from "./said";
import { game as texts } from "./words";
import type { HeardJson, Side } from "./wire";

const MOVED: HeardJson = { kind: "moved", by: "black" };
const TURN: HeardJson = { kind: "turn", to_move: "white" };
const lost = (square: string, man: "bishop" | "pawn" | "queen"): HeardJson => ({ kind: "lost", square, man });
const capture = (square: string | null, man: "piece" | "pawn" | "bishop" | null, en_passant = false): HeardJson => ({ kind: "capture", square, man, en_passant });

/** The page's text for a seat about one hearing. Each pair is a thing heard and the referee's words for it. */
const said = (seat: Side | null, ...all: [HeardJson, string][]): string =>
  saidTo({ heard: all.map(([told]) => told), words: all.map(([, text]) => text) }, seat).join(" ");

describe("the loss of an own man", () => {
  it.each([
    ["a piece", lost("a6", "bishop"), capture("a6", "piece"), "", true],
    ["the same man", lost("a6", "bishop"), capture("a6", "bishop"), "", true],
    ["a man of which nothing is announced", lost("a6", "bishop"), capture("a6", null), "", true],
    ["a pawn", lost("e4", "pawn"), capture("e4", "pawn"), "", true],
    ["en passant", lost("e4", "pawn"), capture("e4", "pawn", true), "", false],
    ["another square, where the capturing man lands", lost("e4", "pawn"), capture("e3", "pawn"), "", false],
    ["a promoted man, which is announced as a pawn", lost("h8", "queen"), capture("h8", "pawn"), "", false],
  ] as const)("is said once, or twice if the capture says more: %s", (_, gone, captured, __, once) => {
    const text = said("white", [gone, "Your man is gone."], [captured, "Man gone."], [TURN, "White to move."]);
    expect(text).toBe(once ? "Your man is gone. White to move." : "Your man is gone. Man gone. White to move.");
  });
  it("is not heard by spectators, so they hear the capture", () => {
    expect(said(null, [capture("a6", "piece"), "Piece gone on a6."])).toBe("Piece gone on a6.");
  });
});

describe("pawn tries", () => {
  it.each([
    [{ kind: "tries", count: 0 }, "0 pawn tries.", "You have no pawn tries.", "Your opponent has no pawn tries.", "White has no pawn tries."],
    [{ kind: "tries", count: 1 }, "1 pawn try.", "You have 1 pawn try.", "Your opponent has 1 pawn try.", "White has 1 pawn try."],
    [{ kind: "tries", count: 2 }, "2 pawn tries.", "You have 2 pawn tries.", "Your opponent has 2 pawn tries.", "White has 2 pawn tries."],
    [{ kind: "tries", any: true }, "Pawn capture.", "You have a pawn capture.", "Your opponent has a pawn capture.", "White has a pawn capture."],
    [{ kind: "tries", squares: [] }, "No pawn tries.", "You have no pawn tries.", "Your opponent has no pawn tries.", "White has no pawn tries."],
    [{ kind: "tries", squares: ["d4", "f4"] }, "Pawn tries from d4, f4.", "Your pawn tries from d4, f4.", "Your opponent's pawn tries from d4, f4.", "White's pawn tries from d4, f4."],
    [
      { kind: "tries", squares: ["d5"], double: ["f5"] },
      "Single pawn tries: d5. Double pawn tries: f5.",
      "Your single pawn tries: d5. Your double pawn tries: f5.",
      "Your opponent's single pawn tries: d5. Your opponent's double pawn tries: f5.",
      "White's single pawn tries: d5. White's double pawn tries: f5.",
    ],
  ] as const)("%o belong to the player to move", (told, text, own, theirs, room) => {
    const tries = told as unknown as HeardJson;
    for (const [seat, expected] of [["white", own], ["black", theirs], [null, room]] as const)
      expect(said(seat, [MOVED, "Black has moved."], [tries, text], [TURN, "White to move."])).toBe(`Black has moved. ${expected} White to move.`);
  });
  it("are not mentioned if the referee says nothing", () => {
    expect(said("white", [MOVED, "Black has moved."], [{ kind: "tries", any: false } as HeardJson, ""], [TURN, "White to move."])).toBe("Black has moved. White to move.");
  });
  it("keep the referee's words if nothing says whose turn it is", () => {
    expect(said("white", [{ kind: "tries", count: 2 }, "2 pawn tries."])).toBe("2 pawn tries.");
  });
});

describe("the result", () => {
  const over: HeardJson = { kind: "over", result: "0-1", reason: "resignation" };
  it("is addressed to the winner and to the loser; spectators get the referee's words", () => {
    const text = "White resigns: Black wins, 0-1.";
    expect(said("black", [over, text])).toBe("You won: your opponent resigned, 0-1.");
    expect(said("white", [over, text])).toBe("You lost: you resigned, 0-1.");
    expect(said(null, [over, text])).toBe(text);
  });
  it.each([
    ["checkmate", "You won: checkmate, 1-0.", "You lost: checkmate, 1-0."],
    ["time", "You won: your opponent ran out of time, 1-0.", "You lost: you ran out of time, 1-0."],
    ["abandoned", "You won: your opponent left the game, 1-0.", "You lost: you left the game, 1-0."],
    ["stalemate", "You won: your opponent has no legal move, 1-0.", "You lost: you have no legal move, 1-0."],
  ] as const)("names the cause: %s", (reason, won, loses) => {
    expect(endSaid({ result: "1-0", reason }, "white")).toBe(won);
    expect(endSaid({ result: "1-0", reason }, "black")).toBe(loses);
  });
  it("keeps the referee's words for a draw and for no result", () => {
    expect(endSaid({ result: "1/2-1/2", reason: "agreement" }, "white")).toBeNull();
    expect(endSaid({ result: "*", reason: "aborted" }, "black")).toBeNull();
  });
});

/** The reasons of refused tries, as a club wrote them in the golden files of a door. These files do not break lines. */
const files = import.meta.glob<string>("../../terminal/doors/tests/ics/golden/{rulesets,wild16}.txt", { query: "?raw", import: "default", eager: true });
const reasons = Object.values(files).flatMap((text) => [...text.matchAll(/\b(?:No|Hell no|Nonsense|Repeat no): \S+\. (.+)$/gm)].map((found) => found[1]!));

describe("the club's reason of a no", () => {
  it("is in the golden files, for tries of several kinds", () => {
    expect(Object.keys(files).length).toBe(2);
    for (const part of [/^Your own men cannot do that\./, /an unseen man is in the way/, /your pawn could capture/, /You must make a pawn capture/, /Everybody hears/, /Nobody else/])
      expect(reasons.some((why) => part.test(why)), String(part)).toBe(true);
  });
  it("loses its sentence on the turn where the page gives the hint to make another try", () => {
    const { withoutTurn, short } = texts.reason;
    for (const why of reasons) {
      expect(withoutTurn(why), why).not.toBe(why);
      for (const shown of [withoutTurn(why), short(why)]) expect(shown, why).toMatch(/^(?!.*\b(turn|still)\b)[A-Z].*\w/);
      expect(short(why), why).not.toContain("illegal in the actual position");
    }
  });
});
