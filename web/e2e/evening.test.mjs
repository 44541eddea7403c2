// An evening of two people, one at a desk and one with a phone, by keyboard: it is made, joined, played, and ends the wait
// of whoever is left over with a program.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible } from "./axe.mjs";
import { DESK, PHONE, Person, openBrowser, openClub, until } from "./club.mjs";
import { button, chooses, field, gameOf, lastCall, region, sticksOut } from "./table.mjs";

let club;
let browser;
before(async () => {
  club = await openClub("--bots", "level-1,random", "--think", "50");
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await club?.close();
});

const enter = (what) => what.press("Enter");

async function isFit(page, where) {
  await assertAccessible(page, where);
  assert.equal(await sticksOut(page), 0, where);
}

/** Sends a request as the page would. */
const asks = (page, path, body) =>
  page.evaluate(
    async ([path, body]) => (await fetch(`/api${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json(),
    [path, body],
  );

test("two people play an evening, and a program fills the seat of whoever leaves", async () => {
  const [anna, bert] = [await Person.of(browser, club.url, { ...DESK, reducedMotion: "reduce" }), await Person.of(browser, club.url, { ...PHONE, reducedMotion: "reduce" })];
  const { page } = anna;
  for (const [one, name] of [[page, "Anna"], [bert.page, "Bert"]]) {
    await asks(one, "/accounts", { name, password: "one-day-64" });
    await one.goto(`${club.url}/evenings`);
    await one.getByText("No evening is planned.").waitFor();
    await isFit(one, "no evening");
  }

  // The form makes one for the next hour; its maker cancels it.
  await page.getByLabel("Name", { exact: true }).fill("Tea; and chess");
  await enter(page.getByLabel("Name", { exact: true }));
  await page.getByRole("heading", { level: 1, name: "Tea; and chess" }).waitFor();
  await page.getByText(/^Begins in \d+ minutes$/).waitFor();
  const file = page.waitForEvent("download");
  await enter(page.getByRole("link", { name: "Calendar file" }));
  assert.equal((await file).suggestedFilename(), "evening.ics");
  await isFit(page, "a planned evening");
  await enter(button(page, "Cancel the evening"));
  await page.getByText("No evening is planned.").waitFor();

  // Another begins after both have joined it in the lobby.
  const terms = { rules: "wild16", custom: null, time: { kind: "fischer", initial: 300, increment: 3 }, rated: true, color: "any" };
  const begins = (await page.evaluate(() => Date.now())) + 12_000;
  await asks(page, "/evenings", { name: "Night", begins, minutes: 30, terms });
  for (const { page } of [anna, bert]) {
    await page.goto(club.url);
    await until("the next evening is shown", async () => {
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      return (await region(page, "Next evening").count()) > 0;
    });
    await enter(region(page, "Next evening").getByRole("button", { name: "Join" }));
    await region(page, "Next evening").getByRole("button", { name: "Leave" }).waitFor();
    assert.equal(await sticksOut(page), 0);
  }
  const [first, same] = await Promise.all([gameOf(page), gameOf(bert.page)]);
  assert.equal(first, same);
  for (const one of [page, bert.page]) await field(one).waitFor();
  await chooses(page, "Resign");
  await enter(page.getByRole("dialog", { name: "Resign" }).getByRole("button", { name: "Resign" }));
  for (const one of [page, bert.page]) {
    await lastCall(one).getByText("The game is over").waitFor();
    await isFit(one, "the end of a game of an evening");
  }
  // At once, before a program sits down with whoever was first.
  await Promise.all([page, bert.page].map((one) => enter(button(one, "Next game of Night"))));

  // The second game has the other colours. Bert leaves afterwards.
  const second = await until("the second game is shown", async () => {
    const game = await gameOf(page);
    return game !== first && game;
  });
  await until("both play it", () => bert.page.url().endsWith(second));
  await page.goto(`${club.url}/evenings`);
  await enter(page.getByRole("link", { name: "Night", exact: true }));
  await page.getByText("Your game is running.").waitFor();
  await region(page, "Games in progress").getByRole("listitem").waitFor();
  const rows = region(page, "Table").getByRole("row");
  assert.deepEqual((await rows.allInnerTexts()).slice(1).map((text) => text.split(/\s+/).join(" ")), ["1 Bert playing 2 1 1", "2 Anna (you) playing 0 0 1"]);
  await isFit(page, "an evening that runs");
  await chooses(bert.page, "Resign");
  await enter(bert.page.getByRole("dialog", { name: "Resign" }).getByRole("button", { name: "Resign" }));
  await lastCall(bert.page).getByText("The game is over").waitFor();

  // Nobody but Anna is free: after some seconds a program sits down.
  await enter(button(page, "Next game"));
  await page.getByText("You wait for a game: it opens here.").waitFor();
  await isFit(page, "a player who waits");
  await until("a program sits down", async () => (await gameOf(page)) !== second);
  await page.getByText("Level 1 (beginner)").first().waitFor();

  // In German, with a phone.
  await bert.page.goto(`${club.url}/evenings`);
  await bert.page.evaluate(() => localStorage.setItem("language", "de"));
  await bert.page.goto(`${club.url}/evenings`);
  await bert.page.getByRole("heading", { level: 1, name: "Abende" }).waitFor();
  await isFit(bert.page, "evenings in German");
  await anna.leave();
  await bert.leave();
});
