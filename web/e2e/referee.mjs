// Asks the referee, without a club, what each listener hears for a list of attempts. Each test of
// a game compares the pages with what the referee says.

import { spawnSync } from "node:child_process";
import { createServer } from "vite";
import { program } from "./club.mjs";

/**
 * The golden record of a game. For the start and for each attempt, the record has the
 * answer, the true position, and what each listener hears, or null.
 */
export function golden(rules, attempts) {
  const done = spawnSync(program(), ["referee", "--rules", rules, "--json"], { input: ["new", ...attempts, ""].join("\n"), encoding: "utf8" });
  if (done.status !== 0) throw new Error(`the referee failed:\n${done.stderr}`);
  const lines = done.stdout.trim().split("\n").map((line) => JSON.parse(line));
  const heard = (all) => (all.length === 0 ? null : all);
  return lines.map((line) => ({ ...line, white: heard(line.white), black: heard(line.black), room: heard(line.room) }));
}

/** Everything that one listener hears in a game, in order. */
export const heardBy = (record, who) => record.map((line) => line[who]).filter((told) => told !== null);

// The page's own sentences. `src/heard.test.ts` compares them with the referee's for everything that can be heard.
const vite = await createServer({ server: { middlewareMode: true, hmr: false, watch: null }, appType: "custom", logLevel: "error" });
const { joined, saidTo } = await vite.ssrLoadModule("/src/said.ts");
const { FILES, load } = await vite.ssrLoadModule("/src/language.svelte.ts");
await load(...FILES);
const { default: table } = await vite.ssrLoadModule("/src/heard.json");
await vite.close();

/** What the page shows to a listener under a ruleset. */
export const onThePage = (heard, who, rules) => joined(saidTo(heard, { seat: who === "room" ? null : who, choices: table.choices[rules] }));
