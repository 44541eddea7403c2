// The referee's board on the front page and at the table: of two programs that play, and of a finished game.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { assertAccessible } from "./axe.mjs";
import { DESK, PHONE, Person, openBrowser, openClub, program, until } from "./club.mjs";
import { chooses, gameOf, getsTurn, plays, region, sitDown, sticksOut } from "./table.mjs";

let browser;
before(async () => {
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
});

const BOARD = /^The referee's board\. White: King/;
const shown = (within) => within.getByRole("img", { name: BOARD });

/** Opens the part of the front page that shows the referee's board. */
async function comes(person) {
  const featured = region(person.page, "The referee's board");
  // Parts of the page are loaded when they are near the screen.
  await until("the board is shown", async () => {
    await person.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    return (await shown(featured).count()) > 0;
  });
  return featured;
}

/** Waits until the board changes. */
async function goesOn(within) {
  const before = await shown(within).getAttribute("aria-label");
  await until("the board changes", async () => (await shown(within).getAttribute("aria-label")) !== before);
}

test("two programs play on the referee's board, on the front page and at the table", async () => {
  const club = await openClub("--bots", "random,sparring", "--think", "50", "--exhibition", "300");
  for (const size of [DESK, PHONE]) {
    const person = await Person.of(browser, club.url, size);
    const featured = await comes(person);
    await featured.getByText("· live").waitFor();
    await goesOn(featured);
    await assertAccessible(person.page, "the front page");
    assert.equal(await sticksOut(person.page), 0);
    await featured.getByRole("link", { name: /^Watch / }).click();
    await gameOf(person.page);
    await goesOn(person.page);
    await person.page.goBack();
    await goesOn(await comes(person));
    await person.leave();
  }
  await club.close();
});

test("a finished game is played again if no programs play", async () => {
  const club = await openClub("--bots", "random");
  const [white, black] = [await Person.of(browser, club.url), await Person.of(browser, club.url)];
  const game = await sitDown(white, black, "wild16");
  await getsTurn(white.page);
  await plays(white, black, "e2e4");
  await plays(black, white, "e7e5");
  await plays(white, black, "g1f3");
  const visitor = await Person.of(browser, club.url);
  await visitor.page.getByText("Games in progress").waitFor();
  assert.equal(await region(visitor.page, "The referee's board").count(), 0, "nobody sees the umpire's board of a game of people");
  await chooses(black.page, "Resign");
  await black.page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
  await black.page.locator(".game.over").waitFor();
  await visitor.page.reload();
  const featured = await comes(visitor);
  await featured.getByText("a finished game, played again").waitFor();
  await goesOn(featured);
  await featured.getByRole("button", { name: "Pause" }).press("Enter");
  await featured.getByRole("button", { name: "Play" }).waitFor();
  assert.equal(await featured.getByRole("link", { name: /^Review / }).getAttribute("href"), `/game/${game}`);
  await assertAccessible(visitor.page, "a finished game");
  for (const person of [white, black, visitor]) await person.leave();
  await club.close();
});

test("a screen in a hall shows the referee's board if both players agreed, and no player's browser does", async () => {
  const club = await openClub("--bots", "random");
  const [white, black] = [await Person.of(browser, club.url), await Person.of(browser, club.url)];
  const game = await sitDown(white, black, "wild16", undefined, 'from = "wild16"\nhall = true\n');
  await getsTurn(white.page);
  await plays(white, black, "e2e4");
  const path = execFileSync(program(), ["games", "hall", game, "--data", club.data], { encoding: "utf8" }).trim();
  black.expected = /status of 409/;
  await black.page.goto(club.url + path);
  await black.page.getByRole("alert").getByText("A player of this game").waitFor();
  // Their sockets are in the same network.
  for (const person of [white, black]) await person.leave();
  const screen = await Person.of(browser, club.url, DESK);
  screen.expected = black.expected;
  await screen.page.goto(club.url + path);
  await until("the screen is shown", async () => (await shown(screen.page).count()) > 0);
  await screen.page.getByText("White has moved").waitFor();
  await assertAccessible(screen.page, "the hall");
  assert.equal(await sticksOut(screen.page), 0);
  await screen.leave();
  await club.close();
});
