// Messages at a game: the players among themselves, the spectators among themselves, mutes, and a
// small phone.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible } from "./axe.mjs";
import { Person, openBrowser, openClub, until } from "./club.mjs";
import { button, chooses, sitDown, sticksOut } from "./table.mjs";

/** A small phone. */
const SMALL = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

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

const panel = (page) => page.locator("details.talk");
const opens = async (page) => {
  await panel(page).locator("summary").scrollIntoViewIfNeeded();
  await panel(page).locator("summary").click();
};
const lines = (page) => page.getByRole("log", { name: "Messages" });
async function writes(page, text) {
  await page.getByRole("textbox", { name: "Your message" }).fill(text);
  await button(page, "Send").click();
  await lines(page).getByText(text).waitFor();
}

test("players and spectators write among themselves, and either player can block", async () => {
  const white = await Person.of(browser, club.url, SMALL);
  const black = await Person.of(browser, club.url);
  const [carl, dora] = [await Person.of(browser, club.url), await Person.of(browser, club.url, SMALL)];
  const game = await sitDown(white, black, "wild16");
  for (const { page } of [carl, dora]) {
    await page.goto(`${club.url}/game/${game}`);
    await opens(page);
  }
  await writes(carl.page, "the queen hangs");
  await lines(dora.page).getByText("the queen hangs").waitFor();
  await opens(white.page);
  await writes(white.page, "hello");
  // A closed panel says that there is something new.
  await panel(black.page).getByText("1 new").waitFor();
  await opens(black.page);
  await lines(black.page).getByText("hello").waitFor();
  for (const { page } of [white, black]) {
    assert.equal(await lines(page).getByText("the queen hangs").count(), 0, "players do not read the spectators' messages");
    assert.equal(await page.getByText("the queen hangs").count(), 0);
  }
  for (const { page } of [carl, dora]) assert.equal(await page.getByText("hello").count(), 0, "spectators do not read the players' messages");
  for (const { page } of [white, dora]) {
    assert.equal(await sticksOut(page), 0, "nothing is wider than the small phone");
    await assertAccessible(page, "a game with messages");
  }
  // Either player can block; the other is told.
  white.expected = /409/;
  const mute = panel(black.page).getByRole("button", { name: /^Block / });
  await mute.click();
  await panel(black.page).getByRole("button", { name: /^Unblock / }).waitFor();
  assert.equal(await lines(black.page).getByText("hello").count(), 0);
  await white.page.getByRole("textbox", { name: "Your message" }).fill("are you there?");
  await button(white.page, "Send").click();
  await panel(white.page).getByText(/blocks you/).waitFor();
  await panel(black.page).getByRole("button", { name: /^Unblock / }).click();
  await lines(black.page).getByText("hello").waitFor();
  // After the end, the players can read the messages of the spectators.
  await chooses(white.page, "Abort");
  await white.page.getByRole("dialog", { name: "Abort" }).getByRole("button", { name: "Abort" }).click();
  await lines(black.page).getByText("the queen hangs").waitFor();
  for (const person of [white, black, carl, dora]) await person.leave();
});

test("a message waits for a person, who replies, blocks the writer or removes it", async () => {
  const anna = await Person.of(browser, club.url, SMALL);
  const bert = await Person.of(browser, club.url);
  const made = [];
  for (const [{ page }, name] of [[anna, "Anna"], [bert, "Bert"]]) {
    const answer = await page.request.post(`${club.url}/api/accounts`, {
      data: { name, password: "correct horse" },
      headers: { origin: club.url, "sec-fetch-site": "same-origin" },
    });
    made.push(answer.status());
    await page.goto(club.url);
    await button(page, `${name}: menu`).waitFor();
  }
  assert.deepEqual(made, [201, 201]);
  await bert.page.getByText("Write to somebody").click();
  await bert.page.getByRole("textbox", { name: "Name", exact: true }).fill("anna");
  await bert.page.getByRole("textbox", { name: "Your message" }).fill("shall we play tonight?");
  await button(bert.page, "Send").click();
  await bert.page.getByText("Your message waits for anna.").waitFor();
  // It appears when it comes: the page asks regularly, and when it is looked at.
  const appears = ({ page }, text) =>
    until(`${text} appears`, async () => {
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      return (await page.getByText(text).count()) > 0;
    });
  await appears(anna, "shall we play tonight?");
  await anna.page.getByText("Reply to Bert").click();
  const answer = anna.page.getByRole("region", { name: "Messages for you" });
  await answer.getByRole("textbox", { name: "Your message" }).fill("at eight");
  await button(answer, "Send").click();
  await anna.page.getByText("Your message waits for Bert.").waitFor();
  assert.equal(await sticksOut(anna.page), 0);
  await assertAccessible(anna.page, "a message and a reply");
  await button(anna.page, "Block Bert").click();
  await anna.page.getByText("shall we play tonight?").waitFor({ state: "detached" });
  await appears(bert, "at eight");
  await button(bert.page, "Remove these messages").click();
  await bert.page.getByText("at eight").waitFor({ state: "detached" });
  await bert.page.reload();
  await button(bert.page, "Bert: menu").waitFor();
  assert.equal(await bert.page.getByText("at eight").count(), 0);
  for (const person of [anna, bert]) await person.leave();
});
