import { expect, it } from "vitest";
import { after, queryOf, streakOn } from "./problems";

it("what is solved is kept on this device, with a streak of days", () => {
  const none = { solved: [], day: 0, streak: 0 };
  const first = after(none, "a", 10);
  expect(first).toEqual({ solved: ["a"], day: 10, streak: 1 });
  // Another problem, and the same day again, change no streak.
  expect(after(after(first, "b", null), "a", 10)).toEqual({ solved: ["a", "b"], day: 10, streak: 1 });
  expect(after(first, "c", 11).streak).toBe(2);
  expect(after(first, "c", 12).streak).toBe(1);
  // An open day may still be missing.
  expect([10, 11, 12].map((day) => streakOn(first, day))).toEqual([1, 1, 0]);
});

it("the query of attempts leaves out a missing new one", () => {
  expect([queryOf(), queryOf(["e2e4", "any"]), queryOf([], "Kd2")].map(String)).toEqual(["attempts=", "attempts=e2e4%2Cany", "attempts=&try=Kd2"]);
});
