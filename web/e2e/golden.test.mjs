// Two people play a whole game to mate in two browsers, and a spectator watches in a third browser.
// The club is killed in the middle of the game. Each person must hear exactly what the referee says
// for the same attempts.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFile } from "node:fs/promises";
import { assertAccessible } from "./axe.mjs";
import { Person, openBrowser, openClub, until } from "./club.mjs";
import { golden, heardBy, onThePage } from "./referee.mjs";
import { ATTEMPTS, GAME, RULES, TITLE } from "./story.mjs";
import { button, clicks, drags, gameOf, lastCall, log, menu, region, reviews, types, unfolds } from "./table.mjs";

const KILLED_AT = GAME.findIndex(([, attempt]) => attempt === "e8e7");
const RELOADED_AT = GAME.findIndex(([, attempt]) => attempt === "e7d6");

let club;
let browser;
before(async () => {
  club = await openClub("--think", "50");
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await club?.close();
});

async function register(person, name) {
  const { page } = person;
  await menu(page, "Create account");
  const dialog = page.getByRole("dialog", { name: "Create account" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByLabel("Password").fill(`the password of ${name}`);
  await dialog.getByRole("button", { name: "Create account" }).click();
  await button(page, "I have saved the codes").click();
  await button(page, `${name}: menu`).waitFor();
}

/** Makes one attempt, in the given way. */
async function makes(page, side, attempt, hand) {
  const [from, to] = [attempt.slice(0, 2), attempt.slice(2, 4)];
  switch (hand) {
    case "types":
      return types(page, attempt);
    case "drags":
      return drags(page, side, from, to);
    case "clicks":
      return clicks(page, side, from, to);
    case "insists":
      await clicks(page, side, from, to);
      await region(page, "Impossible move").waitFor();
      return button(page, "Ask the referee anyway").click();
    case "asks":
      return button(page, "Any?").click();
    case "offers":
      return button(page, "Offer draw").click();
    case "declines":
      return button(page, "Decline draw").click();
    case "promotes": {
      await drags(page, side, from, to);
      const dialog = page.getByRole("dialog", { name: "Promote the pawn to" });
      await dialog.waitFor();
      await assertAccessible(page, "the choice of a promotion");
      return dialog.getByRole("button", { name: "Queen" }).click();
    }
    default:
      throw new Error(`unknown way to act: ${hand}`);
  }
}

/** Checks that a listener has heard everything expected, and that the page shows it. */
async function hears(person, game, record, who) {
  const expected = heardBy(record, who);
  await until(`${who} has heard ${expected.length} things`, () => person.heard(game).length >= expected.length);
  assert.deepEqual(person.heard(game), expected, `what ${who} heard`);
  const last = expected.at(-1);
  const words = onThePage(last, who, RULES);
  const large = record.at(-1).over === null ? words : /Checkmate: White wins|You (won|lost): checkmate/;
  await lastCall(person.page).getByText(large, { exact: true }).first().waitFor();
  await log(person.page).getByText(words, { exact: true }).first().waitFor();
}

/** The men of one side in a position, as in the list on the page. */
function menOf(fen, side) {
  const found = {};
  fen.split(" ")[0].split("/").forEach((row, down) => {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) file += Number(letter);
      else {
        if ((letter === letter.toUpperCase()) === (side === "white"))
          (found[letter.toLowerCase()] ??= []).push("abcdefgh"[file] + (8 - down));
        file += 1;
      }
    }
  });
  return [["King", "k"], ["Queen", "q"], ["Rook", "r"], ["Bishop", "b"], ["Knight", "n"], ["Pawn", "p"]]
    .filter(([, letter]) => found[letter])
    .map(([name, letter]) => `${name}${found[letter].length > 1 ? "s" : ""} ${found[letter].sort().join(", ")}`)
    .join("; ");
}

test("two browsers play a golden game to mate, with a spectator, a reload and a killed club", async () => {
  const record = golden(RULES, ATTEMPTS);
  assert.deepEqual([record.at(-1).over.result, record.at(-1).over.reason], ["1-0", "checkmate"], "the story ends in mate");

  const white = await Person.of(browser, club.url);
  const black = await Person.of(browser, club.url);
  const room = await Person.of(browser, club.url);
  const people = { white, black, room };
  await register(white, "Ada");
  await register(black, "Bertram");

  // Ada seeks a game; Bertram accepts.
  await unfolds(white.page);
  await white.page.getByRole("combobox", { name: "Ruleset" }).selectOption({ label: TITLE });
  await white.page.getByRole("radio", { name: "15 + 10" }).check({ force: true });
  await white.page.getByRole("radio", { name: "White" }).check({ force: true });
  await button(white.page, "Find an opponent").click();
  const seek = region(black.page, "Open challenges");
  await seek.getByText("everybody hears of refused tries").waitFor();
  await region(room.page, "Open challenges").getByText("Ada").waitFor();
  await button(black.page, "Play Ada").click();
  const game = await gameOf(black.page);
  assert.equal(await gameOf(white.page), game, "the game opens for Ada by itself");
  await room.page.getByRole("link", { name: "Watch Ada against Bertram" }).click();
  assert.equal(await gameOf(room.page), game);
  await region(room.page, "What a spectator hears").waitFor();

  for (let at = 0; at <= GAME.length; at += 1) {
    const sofar = record.slice(0, at + 1);
    const now = sofar.at(-1);
    for (const who of ["white", "black", "room"]) await hears(people[who], game, sofar, who);
    if (now.over === null) {
      for (const who of ["white", "black"]) {
        const label = `Your men: ${menOf(now.fen, who)}.`;
        await people[who].page.getByRole("img", { name: label }).waitFor();
      }
    }
    if (at === GAME.length) break;
    const [side, attempt, hand] = GAME[at];
    const { page } = people[side];

    if (at === RELOADED_AT) {
      for (const who of ["black", "room"]) {
        const before = people[who].hearings(game).length;
        await people[who].page.reload();
        const all = heardBy(sofar, who).length;
        await until(`${who} hears all again`, () => people[who].hearings(game).length === before + all);
        await hears(people[who], game, sofar, who);
      }
    }
    if (at === KILLED_AT) {
      await picture(people.black.page);
      for (const person of Object.values(people)) person.clubAway = true;
      await club.kill();
      for (const person of Object.values(people)) await person.page.getByText("Offline: reconnecting").waitFor();
      // The notice above the board moves it. A try that is made while the club is stopped is sent once when it runs again.
      await makes(page, side, attempt, hand);
      await lastCall(page).getByText("Asking the referee...").waitFor();
      await club.again();
      for (const person of Object.values(people)) {
        await person.page.getByText("Offline: reconnecting").waitFor({ state: "hidden" });
        person.clubAway = false;
      }
    } else {
      await makes(page, side, attempt, hand);
    }

    const answered = record[at + 1];
    if (["no", "nonsense"].includes(answered.answer)) {
      const said = sofar.length + 1;
      await until(`${side} is refused`, () => people[side].heard(game).length >= heardBy(record.slice(0, said), side).length);
      // The man returns to its square, the try is marked, and the page gives the reason.
      const words = `${attempt.slice(0, 2)} to ${attempt.slice(2, 4)}`;
      await region(page, "Impossible moves").getByText(words).waitFor();
      await region(page, "Why").waitFor();
      assert.match(await region(page, "Why").innerText(), /\w+ \w+ \w+/);
      await page.locator("cg-board square.refused").first().waitFor();
    }
    if (attempt === "any") {
      await until("after Any? was asked, its button is gone until the next turn", async () => (await button(page, "Any?").count()) === 0);
    }
    if (attempt === "offer-draw") await button(black.page, "Withdraw draw offer").waitFor();
  }

  // Spectators must not hear anything about the draw offer.
  assert.equal(room.heard(game).some((all) => all.some(({ kind }) => kind.startsWith("draw"))), false);
  await threeBoards(people, game, record);
  for (const person of Object.values(people)) await person.leave();
});

/** Takes the picture for the README, if KRIEGSPIEL_PICTURES names a folder. */
async function picture(page) {
  if (!process.env.KRIEGSPIEL_PICTURES) return;
  for (const guess of ["qd1", "ke1", "bc4", "nf3", "d2", "c2"]) {
    await page.getByRole("textbox", { name: "Type guesses" }).fill(guess);
    await page.getByRole("textbox", { name: "Type guesses" }).press("Enter");
  }
  await page.evaluate(() => scrollTo(0, 0));
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await until("every man stands still", () => page.evaluate(() => document.querySelector("piece.anim, piece.fading") === null));
  await page.screenshot({ path: new URL(`../../${process.env.KRIEGSPIEL_PICTURES}/game.png`, import.meta.url).pathname, animations: "disabled" });
}

const menByFen = (fen) => ({ w: menOf(fen, "white"), b: menOf(fen, "black") });

/** Checks the end of the game on the player's own board, and the review: every position on the three boards, and the three files to download. */
async function threeBoards({ white, room }, game, record) {
  for (const { page } of [white, room]) {
    const { w, b } = menByFen(record.at(-1).fen);
    await page.getByRole("img", { name: `The end. White: ${w}. Black: ${b}.` }).waitFor();
    await reviews(page);
    const chairs = region(page, "Review of the game");
    await chairs.getByRole("img", { name: `White's men: ${w}`, exact: false }).waitFor();
    await chairs.getByRole("img", { name: `Black's men: ${b}`, exact: false }).waitFor();
    await chairs.getByRole("img", { name: /^The referee's board: / }).waitFor();
    await button(page, "To the start").click();
    for (const line of record.slice(1)) {
      await button(page, "One step forward").click();
      const { w, b } = menByFen(line.fen);
      await chairs.getByRole("img", { name: `White's men: ${w}` }).waitFor();
      await chairs.getByRole("img", { name: `Black's men: ${b}` }).waitFor();
      if (line.room === null) await chairs.getByText("Nothing.").first().waitFor();
    }
    const steps = page.getByRole("table", { name: "Moves and refused tries" });
    for (const refused of ["b1c3, no", "e4f5, no", "e7d6, no", "a7a6, no"])
      assert.equal(await steps.getByRole("button", { name: refused }).count(), 1, refused);
    // Draw offers do not begin a turn.
    const third = steps.getByRole("row").filter({ hasText: "Offer draw" });
    assert.match(await third.innerText(), /^3\s+d5e6\s*Decline draw\s+Offer draw\s*b8c6/);
    await steps.getByRole("button", { name: "e4f5, no" }).click();
    await page.locator(".cg-shapes line, .cg-shapes path").first().waitFor({ state: "attached" });
  }

  await white.page.getByText("Pictures and files").click();
  for (const [name, ending] of [["PGN", "pgn"], ["Transcript", "txt"], ["JSON", "json"]]) {
    const begins = white.page.waitForEvent("download");
    await white.page.getByRole("link", { name, exact: true }).click();
    const download = await begins;
    assert.equal(download.suggestedFilename(), `kriegspiel-${game}.${ending}`);
    const text = await readFile(await download.path(), "utf8");
    if (ending === "pgn") {
      assert.match(text, /\[White "Ada"\]/);
      assert.match(text, /\[Result "1-0"\]/);
      assert.match(text, /Qfxf8#/);
    } else if (ending === "txt") {
      for (const [side, attempt] of GAME) assert.match(text, new RegExp(`^${side} ${attempt} `, "m"));
    } else {
      const { lines, over, rules } = JSON.parse(text);
      assert.deepEqual([rules, over.result, over.reason], [RULES, "1-0", "checkmate"]);
      const told = (line) => ({ attempt: line.attempt, answer: line.answer, white: line.white, black: line.black, room: line.room });
      const bare = (line) => ({
        attempt: line.attempt,
        answer: line.answer,
        white: line.white ?? [],
        black: line.black ?? [],
        room: line.room ?? [],
      });
      assert.deepEqual(lines.map(told), record.map(bare), "the lines equal the referee's lines");
    }
  }
}
