import { describe, expect, it } from "vitest";
import { changeBy, changesOf, clubQuery, curveOf, gamesPath, percentOf, searchOf } from "./people";

const changes = [
  { at: 1, points: 1662, game: "a" },
  { at: 2, points: 1600, game: null },
];

describe("ratings", () => {
  it("a change has its difference from the one before it", () => {
    expect(changesOf(changes).map((one) => one.by)).toEqual([null, -62]);
  });
  it("the change by a game is found in any family", () => {
    const rating = { against: "people", points: 1600, deviation: 100, provisional: false } as const;
    const person = { ratings: [{ ...rating, family: "ks", changes: [] }, { ...rating, family: "rand", changes }] };
    expect(changeBy("a", person)).toMatchObject({ family: "rand", points: 1662, by: null });
    expect(changeBy("b", person)).toBeUndefined();
  });
  // Wilson 1927 with z = 1.96.
  it.each([
    [{ won: 1, drawn: 0, lost: 0 }, { percent: 100, range: 40 }],
    [{ won: 4, drawn: 2, lost: 4 }, { percent: 50, range: 26 }],
    [{ won: 60, drawn: 20, lost: 20 }, { percent: 70, range: 9 }],
  ])("the score %j has an interval", (score, expected) => {
    expect(percentOf(score)).toEqual(expected);
  });
  it.each([
    [[1500], { low: 1500, high: 1600, points: [{ x: 50, y: 10 }] }],
    [[1510, 1490, 1720], { low: 1450, high: 1750, points: [{ x: 0, y: 8 }, { x: 50, y: 26 / 3 }, { x: 100, y: 1 }] }],
  ])("the curve of %j fits its box", (ratings, expected) => {
    const { low, high, points } = curveOf(ratings, 100, 10);
    expect({ low, high }).toEqual({ low: expected.low, high: expected.high });
    points.forEach(({ x, y }, at) => {
      expect(x).toBeCloseTo(expected.points[at]!.x);
      expect(y).toBeCloseTo(expected.points[at]!.y);
    });
  });
});

describe("the search of finished games", () => {
  const day = (text: string): number => new Date(`${text}T00:00`).getTime();
  it.each([
    ["", ""],
    ["?player=*&opponent=Bert&x=1", "?player=*"],
    ["?player=Anna&opponent=Bert&result=won&ruleset=ks%2Ba", "?player=Anna&opponent=Bert&ruleset=ks%2Ba&result=won"],
    ["?since=2026-11-29&until=2026-11-30", `?since=${day("2026-11-29")}&until=${day("2026-12-01")}`],
    ["?since=soon", ""],
  ])("%s asks the club %s", (query, asked) => {
    expect(clubQuery(searchOf(query), null)).toBe(asked);
  });
  it("an older page has its place, and the address keeps the search", () => {
    expect(clubQuery(searchOf("?player=Anna"), 7)).toBe("?player=Anna&before=7");
    expect(gamesPath({ player: "Anna", ruleset: "ks+a" })).toBe("/games?player=Anna&ruleset=ks%2Ba");
    expect(searchOf("?player=Anna&ruleset=ks%2Ba")).toMatchObject({ player: "Anna", ruleset: "ks+a", opponent: "" });
  });
});
