// Two people at one device: the screen is covered between turns, and shows one player's men at a time.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible } from "./axe.mjs";
import { PHONE, Person, openBrowser, openClub, until } from "./club.mjs";
import { button, chooses, gameOf, insists, lastCall, log, region, sticksOut, types } from "./table.mjs";

let club;
let browser;
before(async () => {
  club = await openClub("--bots", "random");
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await club?.close();
});

test("two people play at one device", async () => {
  const person = await Person.of(browser, club.url, { ...PHONE, reducedMotion: "reduce" });
  // The question back about an impossible move.
  person.expected = /status of 409/;
  const { page } = person;
  const men = page.getByRole("img", { name: /^Your men: / });
  const boards = page.locator("cg-board");
  /** The screen is covered; then it shows the men of a side. */
  const shows = async (side, king) => {
    await page.getByRole("heading", { name: `${side}: your turn` }).waitFor();
    assert.equal(await boards.count(), 0, "nothing of the game is on the screen");
    await until("the button has the focus", () => button(page, `Show me the men of ${side}`).evaluate((one) => one === document.activeElement));
    await button(page, `Show me the men of ${side}`).press("Enter");
    await page.getByRole("img", { name: new RegExp(`^Your men: King ${king}`) }).waitFor();
  };
  await region(page, "New game").scrollIntoViewIfNeeded();
  await button(page, "Play with a friend on this device").press("Enter");
  const game = await gameOf(page);
  await page.getByRole("heading", { name: "White: your turn" }).waitFor();
  await assertAccessible(page, "the cover");
  assert.equal(await sticksOut(page), 0);
  await shows("White", "e1");
  await types(page, "e2e4");
  await log(page).getByText("You play e2e4").waitFor();
  await assertAccessible(page, "a seat");
  await button(page, "Cover the screen for Black").press("Enter");
  await shows("Black", "e8");
  await insists(page, "e8e6");
  await lastCall(page).getByText(/^No/).waitFor();
  await types(page, "e7e5");
  await log(page).getByText("You play e7e5").waitFor();
  await page.reload();
  await shows("White", "e1");
  await lastCall(page).getByText("Your turn", { exact: true }).waitFor();
  assert.equal(await page.getByText("e7e5").count(), 0, "White sees nothing of Black's moves");
  await chooses(page, "Resign");
  await page.getByRole("dialog", { name: "Resign" }).getByRole("button", { name: "Resign" }).press("Enter");
  await page.locator(".game.over").waitFor();
  assert.equal(await men.count(), 0);
  // Nobody else has a seat.
  const visitor = await Person.of(browser, club.url);
  await visitor.page.goto(`${club.url}/game/${game}`);
  await visitor.page.locator(".game.over").waitFor();
  for (const one of [person, visitor]) await one.leave();
});
