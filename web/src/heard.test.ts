import { describe, expect, it } from "vitest";
import table from "./heard.json";
import { joined, saidTo } from "./said";
import type { Choices } from "./words/calls";
import type { HeardJson, Side } from "./wire";

// `heard.json` has the English of the crate `notation` for everything that a referee can say under each ruleset.
const choices: Record<string, Choices> = table.choices;
const seatOf = (listener: string): Side | null => (listener === "room" ? null : (listener as Side));

/** The words that the page uses on purpose for the player who acts, and for the winner and the loser. */
function addressed(told: HeardJson, seat: Side | null, said: string): string {
  if (seat === null) return said;
  if ("by" in told && told.by === seat) return said.replace(/^(White|Black) (ask|decline|drop|offer|promote|take)s\b/, "You $2");
  return said;
}

describe("the page's sentences", () => {
  it("are those of the referee for everything that can be heard, under each ruleset", () => {
    const wrong: string[] = [];
    let checked = 0;
    for (const row of table.rows) {
      const told = row.heard as HeardJson;
      for (const rules of row.rules === "all" ? Object.keys(choices) : (row.rules as string[]))
        for (const listener of row.to) {
          const seat = seatOf(listener);
          const said = joined(saidTo([told], { seat, choices: choices[rules]! }));
          if (told.kind === "over" && seat !== null && (told.result === "1-0" || told.result === "0-1")) {
            const won = (told.result === "1-0") === (seat === "white");
            if (!said.startsWith(won ? "You won: " : "You lost: ") || !said.endsWith(`, ${told.result}.`)) wrong.push(said);
          } else if (said !== addressed(told, seat, row.said)) wrong.push(`${rules}, to ${listener}: "${said}" instead of "${row.said}"`);
          checked += 1;
        }
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(5000);
  });
});
