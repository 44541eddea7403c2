// What the referee says for the same attempts, without a club. Each test of a game
// compares the pages with these words.

import { spawnSync } from "node:child_process";
import { program } from "./club.mjs";

function ask(rules, attempts, ...flags) {
  const done = spawnSync(program(), ["referee", "--rules", rules, ...flags], {
    input: ["new", ...attempts, ""].join("\n"),
    encoding: "utf8",
  });
  if (done.status !== 0) throw new Error(`the referee failed:\n${done.stderr}`);
  return done.stdout;
}

/** The umpire's sheet notes the reason of a "no" in brackets; the page shows the reason beside the call. */
const UMPIRES_NOTE = /^((?:Nonsense|No): \S+) \(.*\)(?=\.$)/;

/** The words for each attempt, by listener; null if a listener hears nothing. */
function wordsOf(text) {
  const all = [];
  for (const line of text.split("\n")) {
    if (/^ *\d+ {2}\S/.test(line)) all.push({});
    const told = /^ {5}((?:White|Black|room)(?:, (?:White|Black|room))*) {2,}(.*)$/.exec(line);
    for (const who of told?.[1].split(", ") ?? []) all.at(-1)[who.toLowerCase()] = told[2] === "-" ? null : told[2].replace(UMPIRES_NOTE, "$1");
  }
  return all;
}

/**
 * The golden record of a game. For each attempt, beginning with the start, it has the
 * answer, the true position, and what each listener hears as `{ heard, words }`, or null.
 */
export function golden(rules, attempts) {
  const lines = ask(rules, attempts, "--json").trim().split("\n").map((line) => JSON.parse(line));
  const words = wordsOf(ask(rules, attempts));
  if (lines.length !== words.length) throw new Error(`${lines.length} lines as JSON, ${words.length} in words`);
  return lines.map((line, at) => {
    const heard = (who) => (line[who].length === 0 ? null : { heard: line[who], words: words[at][who] });
    return { ...line, white: heard("white"), black: heard("black"), room: heard("room") };
  });
}

/** Everything that one listener hears in a game, in order. */
export const heardBy = (record, who) => record.map((line) => line[who]).filter((told) => told !== null);

/** The words as the page shows them to a seat: the player's own actions are in the second person. */
export function onThePage(words, who) {
  const name = who === "white" ? "White" : "Black";
  const begun = words.replace(/^A new game, [\w-]+\./, "A new game.");
  if (who === "room") return begun;
  return begun.replace(`${name} offers a draw.`, "You offer a draw.").replace(`${name} declines the draw.`, "You decline the draw.");
}
