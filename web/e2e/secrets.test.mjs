// Guesses are not sent. The address and the title of the page tell nothing of the board.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, openClub, Person, until } from "./club.mjs";
import { button, field, gameOf, insists, lastCall, log, types } from "./table.mjs";

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

async function begin(person) {
  await button(person.page, "Play now").click();
  const game = await gameOf(person.page);
  await lastCall(person.page).getByText("Your turn").waitFor();
  return game;
}

test("guesses stay on the device", async () => {
  const person = await Person.of(browser, club.url);
  const { page } = person;
  const game = await begin(person);
  const before = person.sent.length;
  await page.getByRole("textbox", { name: "Type guesses" }).fill("qd5");
  await button(page, "Place").click();
  await page.getByRole("img", { name: /Your guesses: Queen d5/ }).waitFor();
  await types(page, "e2e4");
  await log(page).getByText("Black has moved").waitFor();
  // Ids are replaced, because they are random and could contain the searched text by chance.
  const sent = person.sent.slice(before).map((text) => text.replaceAll(game, "GAME").replace(/"id":"[0-9a-f]+"/, ""));
  assert.ok(sent.some((text) => text.includes("e2e4")), "the recorded requests contain the try");
  assert.deepEqual(sent.filter((text) => /d5|guess|queen/i.test(text)), []);
  // The guess is there after a reload, but not for another person.
  await page.reload();
  await page.getByRole("img", { name: /Your guesses: Queen d5/ }).waitFor();
  const other = await Person.of(browser, club.url);
  await other.page.goto(`${club.url}/game/${game}`);
  await other.page.getByRole("img", { name: /^An empty board/ }).waitFor();
  assert.equal(await other.page.getByText("d5", { exact: true }).count(), 0);
  await other.leave();
  await person.leave();
});

test("the address and the title tell nothing of the board", async () => {
  const person = await Person.of(browser, club.url);
  const { page } = person;
  const game = await begin(person);
  const address = page.url();
  assert.equal(address, `${club.url}/game/${game}`);
  const title = await page.title();
  await insists(page, "e1e3");
  await page.getByRole("region", { name: "Why" }).waitFor();
  assert.equal(await page.title(), title, "the title does not change after the answer no");
  await page.getByRole("textbox", { name: "Type guesses" }).fill("qd5");
  await button(page, "Place").click();
  await types(page, "e2e4");
  await log(page).getByText("Black has moved").waitFor();
  assert.equal(page.url(), address);
  await until("it is the player's turn again, and the title is the same as before", async () => (await page.title()) === title);
  assert.match(title, /^Your turn: guest\w+ against Level 1 \(beginner\)$/);
  assert.equal(await page.evaluate(() => history.state), null);
  assert.ok(await field(page).isVisible());
  await person.leave();
});
