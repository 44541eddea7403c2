import { describe, expect, it } from "vitest";
import { diagonals } from "./men";
import { meanings, meant, type Choices } from "./words/calls";
import type { HeardJson } from "./wire";
import wire from "./wire?raw";

/** Choices that announce everything. Any? and announced pawn tries exclude each other, so there are two sets. */
const ALOUD: Choices = {
  impossible: "nonsense", announced_tries: "nonsense", announced_check: "answers", obligation: "make", try_limit: "three",
  repeat: "repeat-no", any_without_pawns: "nonsense", nonsense_word: "hell-no", nonsense_heard: "both", no_heard: "both",
  capture_heard: "both", capture_square: "stood", capture_man: "kind", en_passant: "said", check: "directions",
  pawn_tries: "squares", pawn_try_square: "landing", promotion: "side", reserve: "drops", count: "aloud", recap: "aloud",
  px: "present", mates: "unseen", stalemate: "loses",
};
const ASKED: Choices = { ...ALOUD, pawn_tries: "on-request" };
const WILD16: Choices = {
  impossible: "nonsense", repeat: "nonsense", nonsense_word: "no", nonsense_heard: "mover", no_heard: "mover",
  capture_heard: "both", capture_square: "stood", capture_man: "kind", en_passant: "silent", check: "directions",
  pawn_tries: "count", promotion: "silent", reserve: "none", count: "absent", recap: "absent", px: "present",
};
/** The choices of each ruleset, read from the generated pages: lines `name = "value"`. */
const files = import.meta.glob<string>("../../docs/rules/*.md", { query: "?raw", import: "default", eager: true });
const rulesets = Object.entries(files).flatMap(([path, text]) => {
  const choices = [...text.matchAll(/^([a-z_]+) = "([a-z-]+)"$/gm)].map((found) => [found[1]!, found[2]!] as const);
  return choices.length < 20 ? [] : [[path.replace(/.*\/|\.md/g, ""), Object.fromEntries(choices)] as const];
});
const kinds = (choices: Choices): Set<string> => new Set(meanings(choices).map((one) => one.kind));

describe("the meanings of the calls", () => {
  it("include every kind that can be heard", () => {
    const heard = /export type HeardJson = ([\s\S]*?\});\n/.exec(wire)?.[1] ?? "";
    const all = [...heard.matchAll(/"kind": "([a-z-]+)"/g)].map((found) => found[1]!);
    expect(all.length).toBeGreaterThan(15);
    const told = new Set([...kinds(ALOUD), ...kinds(ASKED)]);
    expect(all.filter((kind) => !told.has(kind))).toEqual([]);
  });
  it("include every direction of a check", () => {
    const all = meanings(ALOUD);
    for (const direction of ["rank", "file", "long", "short", "knight"])
      expect(meant(all, [{ kind: "check", directions: [direction] }]).length, direction).toBe(1);
    expect(meant(all, [{ kind: "check", directions: ["file", "knight"] }]).map((one) => one.calls[0])).toEqual([
      "Check on the rank",
      "Check by a knight",
      "Double check: on the file and by a knight",
    ]);
  });
  it("are whole sentences under every ruleset", () => {
    expect(rulesets.length).toBe(16);
    for (const [id, choices] of rulesets) {
      const all = meanings(choices);
      expect(new Set(all.flatMap((one) => one.calls)).size, id).toBe(all.flatMap((one) => one.calls).length);
      for (const { calls, means } of all) {
        expect(means, `${id}: ${calls[0]}`).toMatch(/^[A-Z“][^]*[.!?]$/);
        expect(means, `${id}: ${calls[0]}`).not.toMatch(/undefined|false|true/);
      }
    }
  });
  it("include only calls that can be heard under the ruleset", () => {
    const said = (id: string): Set<string> => kinds(Object.fromEntries(rulesets)[id]!);
    expect(said("wild16").has("nonsense"), "wild16 has no separate word for nonsense").toBe(false);
    expect(said("wild16").has("any")).toBe(false);
    expect(said("ks").has("capture"), "only the player who loses the man sees it vanish").toBe(false);
    expect(said("umpire").has("repeat-no")).toBe(true);
    expect(said("crazykrieg").has("drop")).toBe(true);
    expect(said("english").has("drop")).toBe(false);
  });
  it("are chosen by what was heard; nonsense without a word of its own has the meaning of no", () => {
    const heard: HeardJson[] = [{ kind: "nonsense", by: "white", attempt: "a1a5" }];
    expect(meant(meanings(WILD16), heard).map((one) => one.kind)).toEqual(["no"]);
    expect(meant(meanings(ALOUD), heard).map((one) => one.kind)).toEqual(["nonsense"]);
    expect(meant(meanings(ALOUD), [{ kind: "recap", by: "white", said: [{ kind: "promotion", by: "black" }] }]).map((one) => one.kind)).toEqual([
      "promotion",
      "recap",
    ]);
  });
  it.each([
    ["e1", "a5", "e1", "e1", "h4"],
    ["g1", "a7", "g1", "g1", "h2"],
    ["g8", "a2", "g8", "g8", "h7"],
    ["d4", "a1", "h8", "a7", "g1"],
  ])("the diagonals of a king on %s end on %s, %s, %s and %s", (king, ...ends) => {
    const { long, short } = diagonals(king);
    expect([long[0], long.at(-1), short[0], short.at(-1)]).toEqual(ends);
  });
});
