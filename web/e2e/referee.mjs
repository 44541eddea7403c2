// Asks the referee, without a club, what each listener hears for a list of attempts. Each test of
// a game compares the pages with the referee's words.

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

/** The umpire's sheet has the reason of a "no" in brackets. The page shows the reason elsewhere, beside the call. */
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
 * The golden record of a game. For the start and for each attempt, the record has the
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

/** How the page names a player to a listener, in the possessive form. */
const OWN = { you: "Your", other: "Your opponent's", White: "White's", Black: "Black's" };
const has = (whose) => ({ you: "You have", other: "Your opponent has" })[whose] ?? `${whose} has`;

/** Adds the owner to announced pawn tries. The owner is always the player to move. */
function withOwner(words, who) {
  const toMove = /(White|Black) to move\.$/.exec(words)?.[1];
  if (toMove === undefined) return words;
  const whose = who === "room" ? toMove : who === toMove.toLowerCase() ? "you" : "other";
  return words
    .replace(/\b(0 pawn tries|No pawn tries)\./, `${has(whose)} no pawn tries.`)
    .replace(/\bPawn capture\./, `${has(whose)} a pawn capture.`)
    .replace(/\b(1 pawn try|[2-9] pawn tries)\./, (_, what) => `${has(whose)} ${what}.`)
    .replace(/(^|\. )(Single pawn|Double pawn|Pawn) (tr[a-z]+(:| from))/g, (_, before, man, rest) => `${before}${OWN[whose]} ${man.toLowerCase()} ${rest}`);
}

/**
 * The words as the page shows them to a listener. Own actions, own pawn tries and the result are in
 * the second person.
 */
export function onThePage(words, who) {
  const name = who === "white" ? "White" : "Black";
  const begun = withOwner(words.replace(/^A new game, [\w-]+\./, "A new game."), who)
    // The sentence about the loss of the own man says the same as the capture, so the page leaves
    // out the capture.
    .replace(/(Your \w+ on ([a-h][1-8]) is gone\.) (?:Capture|[A-Z][a-z]+ gone) on \2\./, "$1");
  if (who === "room") return begun;
  return begun
    .replace(/Checkmate: (White|Black) wins, (1-0|0-1)\./, (_, winner, result) => `You ${winner === name ? "won" : "lost"}: checkmate, ${result}.`)
    .replace(`${name} offers a draw.`, "You offer a draw.")
    .replace(`${name} declines the draw.`, "You decline the draw.");
}
