// What the referee says of the same attempts, with no club between: each test
// of a game holds the pages to it, word by word.

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

/** The sheet notes why a try is nonsense; the page says that beside the call. */
const UMPIRES_NOTE = /^((?:Nonsense|No): \S+) \(.*\)(?=\.$)/;

/** The words of each attempt by listener; null where nothing is heard. */
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
 * The golden record of a game: for each attempt, the opening first, what it
 * was answered, the true position, and for each listener what they hear as
 * `{ heard, words }`, or null.
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

/** All that one listener hears in a game, in order. */
export const heardBy = (record, who) => record.map((line) => line[who]).filter((told) => told !== null);

/** How the page words it for a seat: what it did itself is told in the second person. */
export function onThePage(words, who) {
  const name = who === "white" ? "White" : "Black";
  if (who === "room") return words;
  return words.replace(`${name} offers a draw.`, "You offer a draw.").replace(`${name} declines the draw.`, "You decline the draw.");
}
