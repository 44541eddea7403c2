// Checks that axe-core finds nothing on any screen or dialog, in light and dark colours, at desktop and phone size.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible } from "./axe.mjs";
import { DESK, PHONE, Person, openBrowser, openClub } from "./club.mjs";
import { button, chooses, field, lastCall, plays, region, reviews, sitDown, types, unfolds } from "./table.mjs";

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

for (const [name, options, thorough] of [
  ["at a desk, light", { ...DESK, colorScheme: "light" }, true],
  ["at a desk, dark", { ...DESK, colorScheme: "dark" }, false],
  ["on a phone, light", { ...PHONE, colorScheme: "light" }, false],
  ["on a phone, dark", { ...PHONE, colorScheme: "dark" }, true],
]) {
  test(`axe-core finds nothing, ${name}`, async () => {
    const calm = { ...options, reducedMotion: "reduce" };
    const white = await Person.of(browser, club.url, calm);
    const black = await Person.of(browser, club.url, calm);
    const { page } = white;
    await region(page, "New game").scrollIntoViewIfNeeded();
    await button(page, "Play Random moves with your settings").waitFor();
    await button(page, "Find an opponent").waitFor();
    await assertAccessible(page, "the lobby");
    await button(page, "Sign in").click();
    const account = page.getByRole("dialog", { name: "Sign in" });
    await account.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("dialog", { name: "Create account" }).waitFor();
    await assertAccessible(page, "the dialog of an account");
    await page.keyboard.press("Escape");
    await button(page, "Sign in").click();
    await account.getByLabel("Name", { exact: true }).waitFor();
    await assertAccessible(page, "the dialog to sign in");
    await account.getByRole("button", { name: "Forgotten password?" }).click();
    await page.getByRole("dialog", { name: "Set a new password" }).waitFor();
    await assertAccessible(page, "the dialog to recover an account");
    await page.keyboard.press("Escape");
    // The size of the window changes these screens only a little. So each colour theme is checked
    // at one size only.
    if (thorough) {
      await unfolds(page);
      await page.getByRole("combobox", { name: "Ruleset" }).selectOption({ label: "Your own rules..." });
      await region(page, "What your opponent will see").waitFor();
      await page.locator("summary", { hasText: "An illegal attempt" }).click();
      await page.locator("summary", { hasText: "Import or export as a file" }).click();
      await page.getByRole("textbox", { name: "The rules, as a file" }).waitFor();
      await assertAccessible(page, "the form for own rules");
      // The offer with own rules is shown to the other player before it is accepted.
      await page.getByRole("combobox", { name: "Who hears the answer no" }).selectOption("both");
      await region(page, "What your opponent will see").getByText("with one change:").waitFor();
      await button(page, "Find an opponent").click();
      await black.page.locator(".halves > :last-child").scrollIntoViewIfNeeded();
      const offered = black.page.getByRole("button", { name: /^Play guest/ });
      await offered.first().click();
      await black.page.getByRole("dialog", { name: /own rules$/ }).waitFor();
      await black.page.getByRole("button", { name: "Play with these rules" }).waitFor();
      await assertAccessible(black.page, "the dialog of an offer with own rules");
      await black.page.keyboard.press("Escape");
      await region(page, "Open challenges").getByRole("button", { name: "Cancel" }).click();
      await offered.first().waitFor({ state: "detached" });
      for (const [path, heading] of [["/rules", "The rulesets"], ["/rules/wild16", /^Wild 16/], ["/nowhere", "Page not found"], ["/api", /./], ["/invitation/nosuchinvitation", "No such challenge"], ["/rules/nosuch", "No such ruleset"], ["/game/zzzzzzzzzzzz", "No such game"]]) {
        white.expected = /404/;
        await page.goto(club.url + path);
        await page.getByRole("heading", { level: 1, name: heading }).waitFor();
        await assertAccessible(page, path);
      }
    }
    await page.goto(club.url);
    await region(page, "New game").scrollIntoViewIfNeeded();
    await button(page, "Challenge a friend by link").click();
    const link = await page.getByRole("textbox", { name: "The link" }).inputValue();
    await assertAccessible(page, "the user's own invitation");
    await black.page.goto(link);
    await button(black.page, "Accept and play").waitFor();
    await assertAccessible(black.page, "an invitation");

    const game = await sitDown(white, black, "wild16");
    await region(page, "How to begin").waitFor();
    await assertAccessible(page, "the table at the start");
    await chooses(page, "Keys");
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
    // On a phone the tray of guesses is a strip, and a button opens the rest of the tray.
    if (await button(page, "Guesses").isVisible()) await button(page, "Guesses").click();
    await page.getByRole("textbox", { name: "Type guesses" }).fill("qd8");
    await page.getByRole("textbox", { name: "Type guesses" }).press("Enter");
    await page.getByRole("list", { name: "Guesses on the board" }).getByText("Qd8").waitFor();
    await assertAccessible(page, "the table after a no, with a guess");
    await page.getByRole("button", { name: /^Knight: 2 of 2/ }).click();
    await region(page, "Placing guesses").waitFor();
    await assertAccessible(page, "the table while guesses are placed");
    await page.keyboard.press("Escape");
    await chooses(page, "Resign");
    await page.getByRole("dialog", { name: "Resign" }).waitFor();
    await assertAccessible(page, "the dialog of a resignation");
    await page.keyboard.press("Escape");
    await chooses(page, "Offer to adjourn");
    await chooses(black.page, "Adjourn");
    await region(page, "Game adjourned").waitFor();
    await assertAccessible(page, "an adjourned game");
    await chooses(page, "Resume");
    await chooses(black.page, "Resume");
    await region(page, "Game adjourned").waitFor({ state: "detached" });
    const room = await Person.of(browser, club.url, calm);
    await room.page.goto(`${club.url}/game/${game}`);
    await region(room.page, "What a spectator hears").waitFor();
    await assertAccessible(room.page, "the room");
    await chooses(page, "Offer draw");
    await chooses(black.page, "Accept draw");
    const dialog = black.page.getByRole("dialog", { name: "Accept draw" });
    await dialog.waitFor();
    await assertAccessible(black.page, "the dialog of a draw");
    await dialog.getByRole("button", { name: "Accept draw" }).click();
    await lastCall(page).getByText("The game is over").waitFor();
    await button(page, "Review").waitFor();
    await page.getByRole("img", { name: /^The end\. White: King e1; .* Black: King e8/ }).waitFor();
    await assertAccessible(page, "the end of a game");
    await reviews(page);
    await region(page, "Review of the game").getByRole("img", { name: /^The referee's board/ }).waitFor();
    await button(page, "e4e5, no").click();
    await assertAccessible(page, "three boards");
    // The page may ask how far the computation is when it has just ended.
    white.expected = /404.*progress/;
    await page.getByRole("tab", { name: "What could be known" }).click();
    await page.getByRole("heading", { name: /^What could \w+ know\?$/ }).waitFor();
    await assertAccessible(page, "what could be known");
    assert.equal(await field(page).count(), 0);
    for (const person of [white, black, room]) await person.leave();
  });
}
