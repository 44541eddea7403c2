// Checks that axe-core finds no serious fault on any screen, in light and dark colours, at desktop and phone size.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible } from "./axe.mjs";
import { DESK, PHONE, Person, openBrowser, openClub } from "./club.mjs";
import { button, field, lastCall, plays, region, sitDown, types } from "./table.mjs";

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

for (const [name, options] of [
  ["at a desk, light", { ...DESK, colorScheme: "light" }],
  ["at a desk, dark", { ...DESK, colorScheme: "dark" }],
  ["on a phone, light", { ...PHONE, colorScheme: "light" }],
  ["on a phone, dark", { ...PHONE, colorScheme: "dark" }],
]) {
  test(`axe-core finds no serious fault, ${name}`, async () => {
    const calm = { ...options, reducedMotion: "reduce" };
    const white = await Person.of(browser, club.url, calm);
    const black = await Person.of(browser, club.url, calm);
    const { page } = white;
    await region(page, "Programs").getByText("random", { exact: true }).waitFor();
    await button(page, "Find an opponent").waitFor();
    await assertAccessible(page, "the lobby");
    await button(page, "Sign in").click();
    const account = page.getByRole("dialog", { name: "Sign in" });
    await account.getByRole("button", { name: "Make an account" }).click();
    await page.getByRole("dialog", { name: "Make an account" }).waitFor();
    await assertAccessible(page, "the dialog of an account");
    await page.keyboard.press("Escape");
    for (const [path, heading] of [["/rules", "The rulesets"], ["/rules/wild16", /^Wild 16/], ["/nowhere", "Page not found"]]) {
      await page.goto(club.url + path);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      await assertAccessible(page, path);
    }

    await page.goto(club.url);
    await button(page, "Challenge a friend by link").click();
    const link = await page.getByRole("textbox", { name: "The link" }).inputValue();
    await assertAccessible(page, "one's own invitation");
    await black.page.goto(link);
    await button(black.page, "Accept and play").waitFor();
    await assertAccessible(black.page, "an invitation");

    const game = await sitDown(white, black, "wild16");
    await region(page, "How to begin").waitFor();
    await assertAccessible(page, "the table at the start");
    await button(page, "Keys").click();
    await page.getByRole("dialog", { name: "Keys and words" }).waitFor();
    await assertAccessible(page, "the dialog of keys");
    await page.keyboard.press("Escape");
    await button(page, "Explain the calls").click();
    await page.getByRole("dialog", { name: "What the calls mean" }).getByText("What else can be said").click();
    await assertAccessible(page, "the dialog of what the calls mean");
    await page.keyboard.press("Escape");
    await plays(white, black, "e2e4");
    await plays(black, white, "e7e5");
    await types(page, "e4e5");
    await region(page, "Why").waitFor();
    // On a phone the tray is a strip; a button opens the rest.
    if (await button(page, "Guesses").isVisible()) await button(page, "Guesses").click();
    await page.getByRole("textbox", { name: "Type guesses" }).fill("qd8");
    await page.getByRole("textbox", { name: "Type guesses" }).press("Enter");
    await page.getByRole("list", { name: "Guesses on the board" }).getByText("Qd8").waitFor();
    await assertAccessible(page, "the table after a no, with a guess");
    const room = await Person.of(browser, club.url, calm);
    await room.page.goto(`${club.url}/game/${game}`);
    await region(room.page, "What a spectator hears").waitFor();
    await assertAccessible(room.page, "the room");
    await button(page, "Offer draw").click();
    await button(black.page, "Accept draw").click();
    const dialog = black.page.getByRole("dialog", { name: "Accept draw" });
    await dialog.waitFor();
    await assertAccessible(black.page, "the dialog of a draw");
    await dialog.getByRole("button", { name: "Accept draw" }).click();
    await lastCall(page).getByText("The game is over").waitFor();
    await region(page, "Review of the game").getByRole("img", { name: /^The referee's board/ }).waitFor();
    await button(page, "e4e5, no").click();
    await assertAccessible(page, "three boards");
    assert.equal(await field(page).count(), 0);
    for (const person of [white, black, room]) await person.leave();
  });
}
