// A whole game by keyboard and accessible names only, without a mouse. The focus is never lost, and every
// call is in the live region. (An account by keyboard: evening.test.mjs.)

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Person, openBrowser, openClub, until } from "./club.mjs";
import { enters, keepsFocus, tabTo } from "./keys.mjs";
import { golden, heardBy, onThePage } from "./referee.mjs";
import { ATTEMPTS, GAME, RULES, TITLE } from "./story.mjs";
import { gameOf } from "./table.mjs";

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

const tryField = (page) => page.getByRole("textbox", { name: "Type a try" });
const inField = (page) => tryField(page).evaluate((element) => element === document.activeElement);

/** Presses `/` to move the focus to the text field, unless the field already has the focus. */
async function toField(page) {
  await until("the key / moves the focus to the field", async () => {
    if (await inField(page)) return true;
    await page.keyboard.press("/");
    return inField(page);
  });
}

/** Waits until the live region contains a call. */
const announced = (page, words) =>
  page.getByRole("log", { name: "Calls" }).getByText(words, { exact: true }).last().waitFor({ state: "attached" });

test("a whole game to mate by keyboard and accessible names alone", async () => {
  const record = golden(RULES, ATTEMPTS);
  const white = await Person.of(browser, club.url);
  await enters(white.page, "link", "Skip to the content");
  await keepsFocus(white.page, "after the link to the content");

  // The ruleset is chosen by typing its name, and the colour by arrow keys.
  await tabTo(white.page, "summary", "More", white.page.locator("details.terms > summary"));
  await white.page.keyboard.press("Enter");
  await white.page.getByRole("option", { name: TITLE, exact: true }).waitFor({ state: "attached" });
  await tabTo(white.page, "combobox", "All rulesets");
  const chosen = white.page.getByRole("combobox", { name: "All rulesets" }).locator("option:checked");
  await until("the ruleset is chosen", async () => {
    await white.page.keyboard.type(TITLE);
    if ((await chosen.innerText()) === TITLE) return true;
    // If a key came more than a second after the key before it, the browser took it for the beginning of another name. A
    // space then opens the list, and Escape closes the list.
    await white.page.keyboard.press("Escape");
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    return false;
  });
  await tabTo(white.page, "radio", "Random colour");
  await white.page.keyboard.press("ArrowRight");
  await enters(white.page, "button", "Challenge a friend by link");
  const link = white.page.getByRole("textbox", { name: "The link" });
  await link.waitFor();
  await keepsFocus(white.page, "when the invitation opens");

  const black = await Person.of(browser, club.url);
  await black.page.goto(await link.inputValue());
  await enters(black.page, "button", "Accept and play");
  const game = await gameOf(black.page);
  assert.equal(await gameOf(white.page), game);
  const people = { white, black };
  for (const { page } of [white, black]) {
    await tryField(page).waitFor();
    await keepsFocus(page, "when the game opens");
    await toField(page);
  }

  for (const [at, [side, attempt, hand]] of GAME.entries()) {
    const { page } = people[side];
    const line = record[at + 1];
    if (hand === "asks") {
      await page.keyboard.press("Tab");
      await page.keyboard.press("a");
    } else if (hand === "offers") await enters(page, "button", "Offer draw");
    else if (hand === "declines") await enters(page, "button", "Decline draw");
    else {
      await toField(page);
      await page.keyboard.type(attempt);
      await page.keyboard.press("Enter");
      if (hand === "insists") {
        await announced(page, / is impossible: /);
        await page.keyboard.press("Enter");
      }
    }
    for (const who of ["white", "black"]) {
      const expected = heardBy(record.slice(0, at + 2), who);
      await until(`${who} has heard ${attempt}`, () => people[who].heard(game).length >= expected.length);
      assert.deepEqual(people[who].heard(game), expected);
      await announced(people[who].page, onThePage(line[who], who, RULES));
      if (line.over === null) await keepsFocus(people[who].page, `for ${who} after ${attempt}`);
    }
    if (["no", "nonsense"].includes(line.answer)) {
      const why = await page.getByRole("region", { name: "Why" }).getByRole("paragraph").first().innerText();
      // The box can leave out the sentence on the turn, because its hint says the same.
      const log = page.getByRole("log", { name: "Calls" });
      await until(`the reason of ${attempt} is announced`, async () =>
        ((await log.textContent()) ?? "").replaceAll(" It is still your turn.", "").includes(why.replace(" It is still your turn.", "")),
      );
    }
    // The focus is still in the field.
    if (hand !== "asks" && hand !== "offers" && hand !== "declines" && line.over === null)
      assert.ok(await inField(page), "the field keeps the focus");
  }

  // The boards after the end, by keyboard.
  for (const { page } of [white, black]) {
    await keepsFocus(page, "when the game is over");
    await enters(page, "button", "Review");
    const chairs = page.getByRole("region", { name: "Review of the game" });
    await chairs.getByRole("img", { name: /^The referee's board: / }).waitFor();
    await keepsFocus(page, "when the review opens");
    await page.keyboard.press("Home");
    await chairs.getByText(`0 of ${GAME.length}`).waitFor();
    await page.keyboard.press("ArrowRight");
    await chairs.getByText(`1 of ${GAME.length}`).waitFor();
    await page.keyboard.press("End");
    await chairs.getByText(`${GAME.length} of ${GAME.length}`).waitFor();
    await page.getByText("Pictures and files").press("Enter");
    for (const name of ["PGN", "Transcript", "JSON"]) await tabTo(page, "link", name);
  }

  // Another game, with exchanged colours.
  await white.page.reload();
  await enters(white.page, "button", "Rematch");
  await keepsFocus(white.page, "when a rematch is offered");
  await enters(black.page, "button", "Accept the rematch");
  await until("the next game opens for both players", () => [white, black].every(({ page }) => !page.url().endsWith(game)));
  assert.equal(white.page.url(), black.page.url());
  for (const { page } of [white, black]) {
    await tryField(page).waitFor();
    await keepsFocus(page, "when the next game opens");
  }

  // When a dialog closes, the focus returns to where it was.
  await enters(white.page, "button", "Resign");
  await white.page.getByRole("dialog", { name: "Resign" }).waitFor();
  await enters(white.page, "button", "Cancel");
  await white.page.getByRole("dialog", { name: "Resign" }).waitFor({ state: "hidden" });
  await keepsFocus(white.page, "when a dialog is closed");
  await white.page.keyboard.press("?");
  await white.page.getByRole("dialog", { name: "Keys and words" }).waitFor();
  await white.page.keyboard.press("Escape");
  await white.page.getByRole("dialog", { name: "Keys and words" }).waitFor({ state: "hidden" });
  await keepsFocus(white.page, "when the dialog of keys is closed");
  await white.page.getByRole("button", { name: "Explain the calls" }).waitFor();
  await white.page.keyboard.press("e");
  const meaning = white.page.getByRole("dialog", { name: "What the calls mean" });
  await meaning.waitFor();
  await white.page.keyboard.press("Shift+Tab");
  await white.page.keyboard.press("Enter");
  await meaning.getByText("You offer a draw").waitFor();
  await white.page.keyboard.press("Escape");
  await meaning.waitFor({ state: "hidden" });
  await keepsFocus(white.page, "when the dialog of meanings is closed");
  // The page answers a question about a square from the player's own knowledge.
  await toField(white.page);
  await white.page.keyboard.type("?e8");
  await white.page.keyboard.press("Enter");
  await white.page.getByRole("status").getByText("e8: your king.").waitFor({ state: "attached" });
  for (const person of [white, black]) await person.leave();
});
