import { describe, expect, it, vi } from "vitest";
import { clockText, dayText, latest, leftOf, momentText, timeText } from "./clock";
import { listOf, readBoard, sentenceOf, writeBoard } from "./men";
import { countOf, fitted, keep, kindsOf, load, none, prune, readGuesses, opening, guessAt, keepStep, loadSteps, promotionsOf, tooMany, tray } from "./phantoms";
import { between, destinations, drops, inWords, promotionOf, readTry } from "./tries";
import { joined, saidTo } from "./said";
import { toneOf, stepText, turns, heading } from "./turns";
import { endOf } from "./ends";
import { meaningOf, PARTS, plain, plainNote, placeIn, rangeOf, sectionsOf, startFile, valueIn, withValue } from "./ruleset";
import { changedLobby } from "./lobby";
import { curve, heatOf, likeliest, matesOf, missedAt, momentsByStep, positionsOf, tens } from "./belief";
import { afterMove, nameOf, namesBy } from "./notation";
import { choices } from "./choices";
import { t } from "./language.svelte";
import { factText } from "./words/facts";
import { answerWord } from "./words/heard";
import { happensOf, materialOf, valueCurve, verdictOf } from "./worth";
import { program } from "./words/programs";
import type { BeliefJson, FactJson, GameRowJson, HeardJson, HearingJson, LobbyJson, MomentJson, RegimeJson, RetriedJson, RulesetJson, LineJson } from "./wire";
const hearing = (n: number, ...heard: HeardJson[]): HearingJson => ({ n, heard, clocks: null });

describe("boards", () => {
  it.each(["8/8/8/8/8/8/PPPPPPPP/RNBQKBNR", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR", "8/8/8/8/8/8/8/8"])(
    "%s is written as it is read",
    (fen) => expect(writeBoard(readBoard(fen))).toBe(fen),
  );
  it("are read without the rest of the FEN", () => {
    expect(readBoard("8/8/8/8/8/8/8/K6k w - - 0 1")).toEqual([
      { square: "a1", man: "king", side: "white" },
      { square: "h1", man: "king", side: "black" },
    ]);
  });
  it("are put into words as a list", () => {
    expect(listOf(readBoard("8/8/8/8/8/8/P7/R3K2R"))).toEqual([
      { man: "King", squares: "e1" },
      { man: "Rooks", squares: "a1, h1" },
      { man: "Pawn", squares: "a2" },
    ]);
    expect(sentenceOf(readBoard("8/8/8/8/8/8/8/4K3"))).toBe("King e1");
  });
});

describe("an attempt that is made again", () => {
  const odds = { played: 100, captures: 0, retaken: 0, exposed: 0, checks: 0, mates: 0, draws: 0 };
  const retried = (worth: Partial<RetriedJson["worth"]>, does: Partial<RetriedJson["odds"]> = {}): string => {
    const all = { turn: 1, moves: 0, made: "a1a2", best: "b1b2", ask_any: false, forced_mate: false, value: -120, best_value: 30, legal: 100, marked: true, lapses: [], ...worth };
    const found = { worth: all, odds: { ...odds, ...does } };
    return [verdictOf(found, (text) => text), ...happensOf(found, (text) => text)].join(" ");
  };
  it.each<[Partial<RetriedJson["worth"]>, Partial<RetriedJson["odds"]>, string]>([
    [{}, { played: 40, captures: 10, retaken: 5 }, "It is worth -1.2 pawns on average; the best attempts, 0.3. Best: b1b2. It is played in 40 % of the positions that were possible, and refused in 60 %. It captures in 10 %, and in 5 % the opponent can retake."],
    [{ made: "any", ask_any: true, lapses: [] }, { played: 50 }, "It is worth -1.2 pawns on average; the best attempts, 0.3. Best: Any? first; after the answer no, b1b2. The answer is yes in 50 % of the positions that were possible."],
    [{ forced_mate: true, value: null, best_value: null }, { mates: 100, checks: 100 }, "b1b2 forces mate, whatever the position was. It is played in every position that was possible. It mates in 100 %."],
    [{ made: "b1b2", lapses: [{ kind: "known", man: "queen", square: "b7", percent: 100 }] }, { exposed: 7, draws: 1 }, "It is worth -1.2 pawns on average; the best attempts, 0.3. Nothing is better. It is played in every position that was possible. In 7 % the opponent can capture the man at once. In 1 % the game ends in a draw. In every position that was possible a queen stood on b7: b1b2 goes there."],
  ])("%j %j", (worth, does, told) => expect(retried(worth, does)).toBe(told));
  it("the curve leaves out turns without a value, and stays inside", () => expect(valueCurve([0, null, 5000], 100, 50)).toBe("M0.0 25.0L100.0 2.0"));
  it("the men of a board have values for each side", () => expect([materialOf("4k3/8/8/8/8/8/8/QN2K3", "white"), materialOf("4k3/p7/8/8/8/8/8/4K3", "white")]).toEqual([1200, -100]));
});

describe("tries", () => {
  const tries = ["a7a8b", "a7a8n", "a7a8q", "a7a8r", "e1g1", "e2e3", "e2e4", "N@f5"];
  it("are grouped by man; of several promotions the queen comes first", () => {
    expect([...destinations(tries)]).toEqual([
      ["a7", ["a8"]],
      ["e1", ["g1"]],
      ["e2", ["e3", "e4"]],
    ]);
    expect(between(tries, "a7", "a8")).toEqual(["a7a8q", "a7a8r", "a7a8b", "a7a8n"]);
    expect(between(tries, "e2", "e4")).toEqual(["e2e4"]);
    expect(drops(tries, "N")).toEqual(["f5"]);
  });
  it("are put into words", () => {
    expect(readTry("N@f5")).toEqual({ kind: "drop", man: "knight", to: "f5" });
    expect(readTry("px")).toBeNull();
    expect(inWords("a7a8q")).toBe("a7 to a8, queen");
    expect(inWords("any")).toBe("any");
  });
  it("the choice of a promotion is one step with several men, the queen first", () => {
    expect(promotionOf(["a7a8n", "a7a8q", "a7a8b", "a7a8r"])).toEqual(["a7a8q", "a7a8r", "a7a8b", "a7a8n"]);
    for (const tries of [["b1d2", "f3d2"], ["a7a8q"], ["a7a8q", "c7c8q"], [""], []]) expect(promotionOf(tries)).toEqual([]);
  });
});

describe("guesses", () => {
  const left = { men: 3, pawns: 1, pieces: 1, kinds: null, reserve: "" };
  it("are too many if they are more than can exist", () => {
    expect(tooMany({ a1: "king", a2: "pawn", a3: "rook" }, left)).toBeNull();
    expect(tooMany({ a1: "king", b1: "king" }, left)).toMatch("one king");
    expect(tooMany({ a2: "pawn", b2: "pawn" }, left)).toMatch("1 pawn");
    expect(tooMany({ a2: "rook", b2: "pawn", c2: "queen" }, left)).toBe("At most 1 piece can be left, not counting the king and these pawns.");
    // The missing pawn may have become the second rook.
    expect(tooMany({ a2: "rook", b2: "rook" }, left)).toBeNull();
    expect(tooMany({ a2: "rook", b2: "rook", c2: "rook" }, left)).toBe("At most 2 pieces can be left, not counting the king.");
    expect(tray({ a3: "rook" }, left).find((c) => c.man === "rook")).toEqual({ man: "rook", placed: 1, most: 1, free: 0 });
  });
  it("of the opening position have only as many men as can be left", () => {
    const all = opening(readBoard("8/8/8/8/8/8/PPPPPPPP/RNBQKBNR"));
    for (const few of [left, { men: 14, pawns: 7, pieces: 6, kinds: null, reserve: "" }, { men: null, pawns: 6, pieces: 7, kinds: null, reserve: "" }, null]) {
      const set = fitted(all, few);
      expect(tooMany(set, few)).toBeNull();
      expect(set.e8).toBe("king");
    }
    expect(fitted(all, null)).toEqual(all);
  });
  it("are compared with the box, not with what was heard, if a count is forbidden", () => {
    const pawns = Object.fromEntries([..."abcdefgh"].map((file) => [`${file}6`, "pawn" as const]));
    expect(tooMany({ ...pawns, a8: "rook", b8: "rook" }, null)).toBeNull();
    expect(tooMany({ ...pawns, a5: "pawn" }, null)).toBe("At most 8 pawns can be left.");
    expect(tray({ a3: "rook" }, null).map(({ most }) => most)).toEqual([8, 2, 2, 2, 1, 1]);
  });
  it("are counted by kind if captures and drops name the man", () => {
    const told = { men: 15, pawns: 7, pieces: 7, kinds: "RRBBNNNPPPPPPP", reserve: "RPP" };
    expect(countOf(kindsOf(told.reserve))).toBe("rook, 2 pawns");
    expect(tray({ d5: "knight" }, told).map(({ man, most, free }) => `${free} of ${most} ${man}`)).toEqual([
      "7 of 7 pawn", "2 of 3 knight", "2 of 2 bishop", "2 of 2 rook", "0 of 0 queen", "1 of 1 king",
    ]);
  });
  it("include a third knight only if a pawn can have been promoted", () => {
    const full = { men: 16, pawns: 8, pieces: 7, kinds: null, reserve: "" };
    const knights = { b6: "knight", c6: "knight", d6: "knight" } as const;
    expect(tooMany(knights, full, { most: 0, announced: false })).toBe("At most 2 knights: no pawn can have been promoted yet.");
    expect(tooMany(knights, full, { most: 0, announced: true })).toBe("At most 2 knights: no promotion was announced.");
    expect(tooMany(knights, full, { most: 1, announced: false })).toBeNull();
    expect(tooMany({ ...knights, e6: "queen", f6: "queen" }, full, { most: 1, announced: false })).toBe("At most 1 pawn can have been promoted by now.");
    const pawns = Object.fromEntries([..."abcdefgh"].map((file) => [`${file}7`, "pawn" as const]));
    expect(tooMany({ ...knights, ...pawns }, full, { most: 8, announced: false })).toBe("With 8 pawns there can be at most 2 knights.");
    expect(tooMany({ b6: "knight", c6: "knight" }, full, { most: 0, announced: false })).toBeNull();
  });
  it("of promoted men are possible after five moves of the opponent, or after an announced promotion", () => {
    const choices = (promotion: string, reserve = "none"): Pick<RulesetJson, "choices"> => ({ choices: { promotion, reserve } as RulesetJson["choices"] });
    const start = hearing(1, { kind: "start", rules: "wild16", men: "8/8/8/8/8/8/PPPPPPPP/RNBQKBNR", castling: "KQ" }, { kind: "turn", to_move: "white" });
    const move = (n: number): HearingJson => hearing(n, { kind: "moved", by: "black" }, { kind: "turn", to_move: "white" });
    const four = [start, ...[2, 4, 6, 8].map(move)];
    expect(promotionsOf(four, "white", choices("silent"))).toEqual({ most: 0, announced: false });
    expect(promotionsOf([...four, move(10)], "white", choices("silent"))).toEqual({ most: 1, announced: false });
    expect(promotionsOf(four, "white", choices("side"))).toEqual({ most: 0, announced: true });
    expect(promotionsOf([...four, hearing(10, { kind: "promotion", by: "black" })], "white", choices("side"))).toEqual({ most: 1, announced: true });
    // In three cases every promotion is possible: pawns can be dropped, the pawns began on other
    // squares, or no turn was heard.
    for (const [all, rules] of [[four, choices("silent", "drops")], [four.slice(1), choices("silent")], [[hearing(1, start.heard[0]!)], choices("silent")], [four, null]] as const)
      expect(promotionsOf(all, "white", rules)).toEqual({ most: 8, announced: false });
  });
  it("disappear from squares with own men; typed guesses are parsed", () => {
    expect(prune({ a1: "king", b2: "pawn" }, new Set(["b2"]))).toEqual({ a1: "king" });
    expect(readGuesses("Qd8")).toEqual([{ square: "d8", man: "queen" }]);
    expect(readGuesses("b4")).toEqual([{ square: "b4", man: "pawn" }]);
    expect(readGuesses("bb4")).toEqual([{ square: "b4", man: "bishop" }]);
    expect(readGuesses("-e5")).toEqual([{ square: "e5", man: null }]);
    expect(readGuesses("ke8 qd8, e5 -b4")?.map(({ square, man }) => `${man} ${square}`)).toEqual(["king e8", "queen d8", "pawn e5", "null b4"]);
    for (const text of ["z9", "", "ke8 and qd8", "e9 e5"]) expect(readGuesses(text), text).toBeNull();
  });
});

describe("the end of a game", () => {
  it.each([
    ["1-0", "checkmate", "white", "You won", "checkmate"],
    ["1-0", "resignation", "black", "You lost", "resignation"],
    ["0-1", "time", "black", "You won", "out of time"],
    ["1/2-1/2", "insufficient", "white", "Draw", "too little material"],
    ["*", "aborted", "white", "Game aborted", ""],
    ["0-1", "checkmate", null, "Black won", "checkmate"],
  ] as const)("%s by %s, seen from the seat %s", (result, reason, seat, end, cause) =>
    expect(endOf({ result, reason }, seat)).toEqual({ end, cause }),
  );
});

describe("clocks", () => {
  it("run only for the side whose clock is running", () => {
    const clocks = { white: 60_000, black: 60_000, running: "black" as const, at: 1000 };
    expect(leftOf(clocks, "white", 9000)).toBe(60_000);
    expect(leftOf(clocks, "black", 9000)).toBe(52_000);
    expect(leftOf(clocks, "black", 900_000)).toBe(0);
    expect(leftOf(clocks, "black", 0)).toBe(60_000);
  });
  it.each([
    [3_723_000, "1:02:03"],
    [123_000, "2:03"],
    [19_940, "0:19.9"],
    [0, "0:00.0"],
    // Below twenty seconds, the time is rounded down to tenths, so 0:00.0 means less than a tenth of a second.
    [99, "0:00.0"],
    [100, "0:00.1"],
    [199, "0:00.1"],
    [9_999, "0:09.9"],
    [10_000, "0:10.0"],
    [19_999, "0:19.9"],
    // From twenty seconds on, the time is rounded up to seconds, so the full time is shown for the whole first second.
    [20_000, "0:20"],
    [20_001, "0:21"],
    [59_000, "0:59"],
    [59_001, "1:00"],
    [60_000, "1:00"],
    [60_001, "1:01"],
    [3_599_000, "59:59"],
    [3_599_001, "1:00:00"],
    [3_600_000, "1:00:00"],
    [3_600_001, "1:00:01"],
    [36_000_000, "10:00:00"],
    [172_799_000, "47:59:59"],
    [270_000_000, "3 d 3 h"],
  ])("%i ms are shown as %s", (millis, text) => expect(clockText(millis)).toBe(text));
  it("show a smaller or equal time if less time is left", () => {
    const inTenths = (text: string): number =>
      text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) * 10;
    let before = 0;
    for (let millis = 0; millis < 130_000; millis += 171) {
      const shown = inTenths(clockText(millis));
      expect(shown).toBeGreaterThanOrEqual(before);
      expect(Math.abs(shown * 100 - millis)).toBeLessThanOrEqual(1000);
      before = shown;
    }
  });
  it("show the latest reading, whatever the order in which the readings arrive", () => {
    const older = { white: 60_000, black: 50_000, running: "white" as const, at: 1000 };
    const newer = { white: 58_000, black: 50_000, running: "black" as const, at: 3000 };
    expect(latest(older, newer)).toBe(newer);
    expect(latest(newer, older)).toBe(newer);
    expect(latest(null, older)).toBe(older);
    expect(latest(older, null)).toBe(older);
    expect(latest(null, null)).toBeNull();
    // If two readings have the same time, the second reading counts, because it was sent later.
    const again = { ...older, running: null };
    expect(latest(older, again)).toBe(again);
  });
  it("are put into words, and so are dates", () => {
    expect(timeText({ kind: "fischer", initial: 300, increment: 5 })).toBe("5\u00a0min\u00a0+\u00a05\u00a0s\u00a0per\u00a0move");
    expect(timeText({ kind: "unlimited" })).toBe("no clock");
    expect(timeText({ kind: "days", initial: 1, increment: 1, cap: 1 })).toBe("1 day per move");
    expect(timeText({ kind: "days", initial: 30, increment: 1, cap: 45 })).toBe("30 days + 1 day per move, at most 45 days");
    expect(momentText(new Date(2026, 10, 22, 14, 5).getTime())).toBe("22 Nov 2026, 14:05");
    expect(dayText(Date.UTC(2026, 10, 22, 12))).toBe("22 Nov 2026");
  });
});

describe("names of moves", () => {
  const start = readBoard("8/8/8/8/8/8/PPPPPPPP/RNBQKBNR");
  const rooks = readBoard("R6R/8/8/R7/8/8/8/R3K2R");
  const quiet = { capture: false, check: false, mate: false };
  it.each([
    ["g1f3", start, quiet, "Nf3", "N-KB3"],
    ["e2e4", start, quiet, "e4", "P-K4"],
    ["e2d3", start, quiet, "ed3", "P(K2)-Q3"],
    ["e2d3", start, { ...quiet, capture: true }, "exd3", "P(K2)xQ3"],
    ["g1f3", start, { ...quiet, check: true }, "Nf3+", "N-KB3+"],
    ["a8d8", rooks, { ...quiet, capture: true, mate: true }, "Raxd8#", "R(QR8)xQ8#"],
    ["a5a7", rooks, quiet, "R5a7", "R(QR5)-QR7"],
    ["a1d1", rooks, quiet, "Rd1", "R-Q1"],
    ["e1g1", rooks, quiet, "O-O", "O-O"],
    ["e1c1", rooks, quiet, "O-O-O", "O-O-O"],
    ["N@f5", start, quiet, "N@f5", "N@KB5"],
    ["nonsense", start, quiet, "nonsense", "nonsense"],
    ["e5e6", start, quiet, "e5e6", "e5e6"],
  ])("the name of %s depends on the own men and the announcements", (text, men, told, san, descriptive) => {
    expect(nameOf(text, men, "white", "san", told)).toBe(san);
    expect(nameOf(text, men, "white", "descriptive", told)).toBe(descriptive);
    expect(nameOf(text, men, "white", "coordinates", told)).toBe(text);
  });
  it("a promotion is named with its man; in descriptive notation Black counts ranks from Black's side", () => {
    const black = readBoard("8/8/8/8/8/8/4p3/8");
    expect(nameOf("e2e1q", black, "black", "san")).toBe("e1=Q");
    expect(nameOf("e2e1q", black, "black", "descriptive")).toBe("P-K8=Q");
  });
  it("castling moves the rook too", () => {
    const after = afterMove(readBoard("8/8/8/8/8/8/8/R3K2R"), "e1c1", "white");
    expect(sentenceOf(after)).toBe("King c1; Rooks d1, h1");
  });
  it("are computed from the player's men; a capture of which the mover did not hear has no x", () => {
    const hearings = [
      hearing(1, { kind: "start", rules: "ks", men: "8/8/8/8/8/8/PPPPPPPP/RNBQKBNR", castling: null }),
      hearing(2, { kind: "no", by: "white", attempt: "g1e2" }),
      hearing(3, { kind: "moved", by: "white", attempt: "e2e4" }),
      hearing(4, { kind: "lost", square: "g1", man: "knight" }, { kind: "turn", to_move: "white" }),
      hearing(5, { kind: "moved", by: "white", attempt: "e4d5" }),
      hearing(6, { kind: "moved", by: "white", attempt: "d5e6" }, { kind: "capture", square: "e6", man: null, en_passant: false }, { kind: "check", directions: [] }),
    ];
    const names = namesBy(hearings, "white", "san");
    expect([...names].map(([n, all]) => `${n} ${[...all.values()].join()}`)).toEqual(["2 Ne2", "3 e4", "5 ed5", "6 dxe6+"]);
    expect(joined(saidTo([{ kind: "no", by: "white", attempt: "g1e2" }], { seat: "white", choices: {}, names: names.get(2) }))).toBe("No: Ne2.");
    expect(namesBy(hearings, "white", "coordinates").size).toBe(0);
    expect(namesBy(hearings, null, "san").size).toBe(0);
  });
});

describe("turns", () => {
  const all = [
    hearing(1, { kind: "start", rules: "wild16", men: null, castling: null }),
    hearing(2, { kind: "no", by: "white", attempt: "e2e5" }),
    hearing(3, { kind: "moved", by: "white", attempt: "e2e4" }, { kind: "turn", to_move: "black" }),
    hearing(4, { kind: "lost", square: "e4", man: "pawn" }, { kind: "turn", to_move: "white" }),
  ];
  it("begin after the hearing in which the turn passes", () => {
    const found = turns(all);
    expect(found.map((t) => heading(t, "white"))).toEqual(["Start", "Your turn 1", "Black's turn 1", "Your turn 2"]);
    expect(found.map((t) => t.hearings.map((h) => h.n))).toEqual([[1], [2, 3], [4], []]);
  });
  it("each hearing has a style", () => {
    expect(all.map((h) => toneOf(h.heard))).toEqual(["plain", "no", "plain", "capture"]);
  });
});

describe("a ruleset's file", () => {
  const file = '# about\nid = "wild16"\nfrom = "wild16"\ntitle = "Wild 16"\n\n[choices]\nno_heard = "mover"\n';
  it("begins without changes; a choice can be changed, and the change removed", () => {
    const base = { id: "wild16", title: "Wild 16" } as RulesetJson;
    const start = startFile(base);
    expect(start).toBe('id = "my-wild16"\nfrom = "wild16"\ntitle = "Wild 16, my way"\n\n[choices]\n');
    const changed = withValue(start, "no_heard", "both");
    expect(changed.endsWith('[choices]\nno_heard = "both"\n')).toBe(true);
    expect(valueIn(changed, "no_heard")).toBe("both");
    expect(withValue(changed, "no_heard", "mover")).toBe(withValue(start, "no_heard", "mover"));
    expect(withValue(changed, "no_heard", null)).toBe(start);
    expect(valueIn(withValue(changed, "title", 'A "new" one'), "title")).toBe("A new one");
    expect(valueIn(changed, "heard")).toBeNull();
    expect(withValue('id = "a"\nfrom = "rand"', "check", "bare")).toBe('id = "a"\nfrom = "rand"\n\n[choices]\ncheck = "bare"\n');
  });
  it("has every choice once in the form, with words for every value", () => {
    const inForm = PARTS.flatMap(([, names]) => names);
    expect([...inForm].sort()).toEqual(Object.keys(choices).sort());
    for (const [name, values] of Object.entries(choices)) {
      expect(t(`choice-${name}`)).toMatch(/^(?!.*row \d)./);
      for (const value of values) expect(meaningOf(name, value)).toMatch(/^[A-Z][^]*\.$/);
    }
  });
  it.each([
    ["A pawn try is named by its landing square (3.3a).", "A pawn try is named by its landing square."],
    ["Material does not (3.3e, section 5).", "Material does not."],
    ["The own square (`pawn_try_square = \"origin\"`) (3.3a).", "The own square."],
    ["As `rand`, but `px` is there (section 2).", "As RAND, Santa Monica, 1950, but “Play the pawn try” is there."],
    ["All (rule 5) (3.3i).", "All."],
  ])("notes have no codes: %s", (note, plain) => expect(plainNote(note)).toBe(plain));
  it("sentences have no codes", () => {
    expect(plain("When exactly one pawn try is announced, px plays it.")).toBe("When exactly one pawn try is announced, “Play the pawn try” plays it.");
  });
  it("is marked at the place of the fault that the club found", () => {
    const place = placeIn({ code: "invalid", reason: "ruleset-fault", args: { fault: "unknown-value", line: "7", column: "12" }, retry_after_ms: null });
    expect(place).toEqual({ line: 7, column: 12 });
    const { start, end } = rangeOf(file, place!);
    expect(file.slice(start, end)).toBe('"mover"');
    expect(placeIn({ code: "invalid", reason: "ruleset-fault", args: { fault: "no-from" }, retry_after_ms: null })).toBeNull();
    expect(rangeOf("ab", { line: 9, column: 9 })).toEqual({ start: 2, end: 2 });
  });
});

describe("guesses for the review", () => {
  it("are kept for the step in which they changed", () => {
    const kept = new Map<string, string>();
    vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
    keepStep("g", "white", 1, { e8: "king" });
    keepStep("g", "white", 2, { e8: "king" });
    keepStep("g", "white", 4, { e8: "king", d8: "queen" });
    const steps = loadSteps("g", "white");
    expect(Object.keys(steps)).toEqual(["1", "4"]);
    expect(guessAt(steps, 3)).toEqual({ e8: "king" });
    expect(guessAt(steps, 9)).toEqual({ e8: "king", d8: "queen" });
    expect(guessAt(steps, 0)).toEqual({});
    expect(loadSteps("g", "black")).toEqual({});
    vi.unstubAllGlobals();
  });
  it("the opening position of the opponent is opposite to the player's own", () => {
    const set = opening(readBoard("8/8/8/8/8/8/PPPPPPPP/RNBQKBNR"));
    expect(Object.keys(set).length).toBe(16);
    expect([set["e8"], set["d8"], set["a7"], set["g8"]]).toEqual(["king", "queen", "pawn", "knight"]);
  });
});

describe("what must stay on this device", () => {
  it("guesses are stored separately for each game and seat", () => {
    const kept = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    });
    const guesses = { ...none(), sets: { A: { d8: "queen" as const }, B: {}, C: {} } };
    keep("g1", "white", guesses);
    expect([...kept.keys()]).toEqual(["guesses:g1:white"]);
    expect(load("g1", "white")).toEqual(guesses);
    expect(load("g1", "black")).toEqual(none());
    vi.unstubAllGlobals();
  });
});

describe("beliefs", () => {
  const moment = (positions: number | null, regime: RegimeJson): MomentJson => ({
    positions,
    regime,
    step: 0,
    moves: 0,
    heat: { king: { e8: 60, d8: 40 }, queen: {}, rook: { a8: 0 }, bishop: {}, knight: {}, pawn: {}, any: { e8: 100 } },
    certain: [],
    mate: null,
    missed: null,
  });
  it.each<[number | null, RegimeJson, string]>([
    [1, "exact", "1 position"],
    [12_345, "exact", "12,345 positions"],
    [12_345, "superset", "at most 12,345 positions"],
    [1_234_567, "sampled", "about 1,200,000 positions"],
    [2e12, "sampled", "more than 1,000,000,000 positions"],
    [null, "envelope", "an unknown number of positions"],
  ])("%s positions, %s, are shown as %s", (n, regime, words) => expect(positionsOf(moment(n, regime))).toBe(words));
  it("have a new moment at each step at which the player heard something", () => {
    const step = (n: number): LineJson => ({ n: 0, by: null, attempt: "", answer: "moved", white: Array<HeardJson>(n).fill({ kind: "turn", to_move: "white" }), black: [], room: [], fen: "", to_move: null, over: null });
    expect(momentsByStep([step(1), step(0), step(1), step(1), step(0)], "white")).toEqual([0, 0, 1, 2, 2]);
    expect(momentsByStep([step(1), step(1)], "black")).toEqual([0, 0]);
  });
  it("shade the squares on which a man can be", () => {
    expect([...heatOf(moment(2, "exact"), "king")]).toEqual([["e8", "heat heat-6"], ["d8", "heat heat-4"]]);
    expect([...heatOf(moment(2, "exact"), "rook")]).toEqual([["a8", "heat heat-0"]]);
  });
  it("name the most probable squares", () => {
    expect(likeliest(moment(2, "exact"), "king")).toBe("e8 60 %, d8 40 %");
    expect(likeliest(moment(2, "exact"), "king", 1)).toBe("e8 60 %, and 1 more");
    expect(likeliest(moment(2, "exact"), "rook")).toBe("a8 under 1 %");
    expect(likeliest(moment(2, "exact"), "queen")).toBe("none is left");
  });
  it("tell forced and missed mates", () => {
    expect(matesOf(moment(2, "exact"))).toEqual([]);
    const told = { ...moment(2, "exact"), missed: 1, mate: { moves: 2, line: ["a1a7", "b1b8, if refused b1c1"] } };
    expect(matesOf(told)).toEqual([
      "A forced mate in 1 own move was missed in the last turn.",
      "Mate in 2 own moves can be forced: a1a7; then b1b8, if refused b1c1.",
    ]);
    const belief: BeliefJson = { seat: "white", limit: 9, moments: [moment(1, "exact"), told, moment(1, "exact")], complete: true };
    expect(missedAt(belief, [0, 0, 1, 1, 2])).toEqual([2]);
  });
  it("are drawn on a logarithmic scale", () => {
    expect(tens([1, 1])).toBe(1);
    expect(tens([1, 1000, null])).toBe(3);
    expect(curve([1, 100, 100, null, 10], 100, 40, 2)).toBe("M0.0 40.0H25.0V0.0H50.0M100.0 20.0");
  });
});

describe("the lobby", () => {
  const row = (id: string, begun: number, status: GameRowJson["status"] = "running"): GameRowJson => ({
    id,
    begun,
    status,
    white: { name: "Anna", kind: "guest" },
    black: { name: "Bert", kind: "guest" },
    rules: "wild16",
    time: { kind: "unlimited" },
    rated: false,
    over: null,
    seat: null,
  });
  const lobby: LobbyJson = {
    seeks: [],
    challenges: [],
    mine: [row("b", 1), row("c", 2)],
    running: [row("d", 1), row("f", 3)],
    programs: [],
  };
  it("takes in changes by id and keeps its order", () => {
    const changes = {
      n: 1,
      seeks: [],
      challenges: [],
      mine: [row("b", 1, "adjourned"), row("a", 2)],
      running: [row("g", 3), row("e", 2)],
      gone: ["d"],
    };
    const now = changedLobby(lobby, changes);
    expect(now.mine.map((one) => [one.id, one.status])).toEqual([
      ["b", "adjourned"],
      ["a", "running"],
      ["c", "running"],
    ]);
    expect(now.running.map((one) => one.id)).toEqual(["e", "f", "g"]);
    expect(lobby.mine.map((one) => one.id), "the old lobby is unchanged").toEqual(["b", "c"]);
  });
});

describe("certain facts", () => {
  it.each([
    [{ kind: "on", man: "king", squares: ["e8"] }, "The king is on e8."],
    [{ kind: "on", man: "rook", squares: ["a8", "h8"] }, "The rooks are on a8 and h8."],
    [{ kind: "one-of", man: "queen", squares: ["b7", "c6", "d8"] }, "The queen is on b7, c6 or d8."],
    [{ kind: "among", man: "pawn", squares: ["d5"] }, "A pawn is on d5."],
    [{ kind: "among", man: "pawn", squares: ["d5", "e6"] }, "Pawns are on d5 and e6."],
    [{ kind: "other", man: "knight", squares: ["b8", "c6"] }, "The other knight is on b8 or c6."],
    [{ kind: "occupied", square: "d5", men: ["pawn", "knight"] }, "A pawn or a knight is on d5."],
    [{ kind: "occupied", square: "d5", men: ["king", "queen", "rook", "pawn"] }, "A man is on d5."],
    [{ kind: "left", man: "rook", count: 0 }, "No rook is left."],
    [{ kind: "left", man: "pawn", count: 1 }, "One pawn is left."],
    [{ kind: "left", man: "pawn", count: 11 }, "11 pawns are left."],
  ] as const)("%o are a sentence", (fact, text) => expect(factText(fact as unknown as FactJson)).toBe(text));
});

describe("the programs of a club", () => {
  const bots = Object.values(import.meta.glob<string>("../../mind/bots/src/lib.rs", { query: "?raw", import: "default", eager: true })).join("");
  it("have a title and a line each", () => {
    const named = [...bots.matchAll(/^ {8}name: "([^"]+)",$/gm)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => program(name).about === "")).toEqual([]);
  });
});

describe("the sections of a ruleset", () => {
  it("leave out choices that have no effect", () => {
    const c = { pawn_tries: "count", check: "directions", capture_heard: "victim", reserve: "none", count: "aloud", mates: "announced", px: "absent", no_heard: "mover" };
    const sections = new Map(sectionsOf(c).map(({ heading, sentences }) => [heading, sentences]));
    expect(sections.get("A capture")).toHaveLength(1);
    expect(sections.get("Questions")?.[0]).toMatch(/^Count \(/);
    expect([...sections.values()].flat().join(" ")).not.toContain("px");
  });
});

describe("the answer to a step of the review", () => {
  it.each([
    ["no", "nonsense", "no"],
    ["nonsense", "no", "no"],
    ["nonsense", "heck-no", "heck-no"],
    ["none", "heck-no", "none"],
    ["none", "nonsense", "no"],
    ["yes", "impossible", "try!"],
    ["moved", "nonsense", null],
  ] as const)("%s under %s is %s", (answer, nonsense_word, word) => expect(answerWord(answer, { nonsense_word })).toBe(word));
  it("stands in the title of the step", () => {
    expect(stepText("white", "Nc3", "heck-no")).toBe("White: Nc3, heck-no");
    expect(stepText("black", "resign", "")).toBe("Black: resign");
    expect(stepText(null, "e4", "played")).toBe("e4, played");
  });
});
