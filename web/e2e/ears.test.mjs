// Use of the page by keyboard and with a screen reader: the focus, typed questions, the names of
// moves, the list of the review.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESK, Person, openBrowser, openClub, until } from "./club.mjs";
import { button, field, lastCall, log, menu, plays, region, reviews, sitDown, types } from "./table.mjs";

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

const focused = (locator) => locator.evaluate((element) => element === document.activeElement);
const selected = (page) => field(page).evaluate(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd));
/** Types a question, and waits until the page answers it. */
async function asks(page, question, answer) {
  await types(page, question);
  await page.getByRole("status").getByText(answer, { exact: true }).waitFor({ state: "attached" });
  assert.equal(await field(page).inputValue(), "", `${question} leaves the field empty`);
}

test("a new visitor has the focus in the field, and the page answers questions without the referee", async () => {
  const person = await Person.of(browser, club.url, { ...DESK, notation: null });
  const { page } = person;
  await button(page, "Play now").focus();
  await page.keyboard.press("Enter");
  await lastCall(page).getByText("Your turn").waitFor();
  await until("the field has the focus", () => focused(field(page)));

  // An impossible move stays in the field and is selected, so that the next attempt replaces it.
  await page.keyboard.type("e1e3");
  await page.keyboard.press("Enter");
  await region(page, "Impossible move").getByRole("heading", { name: "Ke3 is impossible" }).waitFor();
  await until("the text is selected", async () => (await selected(page)) === "e1e3");
  await page.keyboard.type("e4");
  assert.equal(await field(page).inputValue(), "e4");
  await page.keyboard.press("Enter");
  await log(page).getByText("You play e4.").waitFor();
  await lastCall(page).getByText("Your turn").waitFor();

  const before = person.sent.length;
  await asks(page, "p n", "Knights b1, g1.");
  await asks(page, "p q", "Queen d1.");
  await asks(page, "s e4", "e4: your pawn.");
  await asks(page, "s e5", "e5: no man of yours, and no guess.");
  await asks(page, "c", "This game has no clock.");
  await asks(page, "s e", "e4: your pawn. e1: your king.");
  await asks(page, "o", "Your opponent: Random moves.");
  await asks(page, "i", "You are White; the rules are Wild 16, Internet Chess Club.");
  await types(page, "t");
  await page.getByRole("status").getByText(/^Black has moved\..* White to move\.$/).waitFor({ state: "attached" });
  const sent = person.sent.slice(before).filter((one) => !one.includes('"ping"'));
  assert.deepEqual(sent.filter((one) => JSON.parse(one).ask !== true), [], "the referee is not asked");

  await types(page, "Nf3");
  await log(page).getByText("You play Nf3.").waitFor();
  for (const move of ["N-KB3", "g1f3", "Nf3"]) {
    await menu(page, "Settings");
    await page.getByRole("group", { name: "Notation" }).getByRole("radio", { name: move }).check({ force: true });
    await page.goBack();
    await log(page).getByText(`You play ${move}.`).waitFor();
  }
  await page.reload();
  await log(page).getByText("You play Nf3.").waitFor();
  await person.leave();
});

test("the name of a move depends on what the mover heard; the review works by keyboard", async () => {
  const [white, black] = [await Person.of(browser, club.url, { ...DESK, notation: null }), await Person.of(browser, club.url, { ...DESK, notation: null })];
  const { page } = white;
  const saying = async (mover, other, typed, name) => {
    await lastCall(mover.page).getByText("Your turn", { exact: true }).waitFor();
    await types(mover.page, typed);
    await log(mover.page).getByText(`You play ${name}.`).first().waitFor();
    await lastCall(other.page).getByText("Your turn", { exact: true }).waitFor();
  };
  // In ks only the player who loses a man hears of a capture. So the name of the move has no x.
  await sitDown(white, black, "ks");
  await saying(white, black, "e4", "e4");
  await saying(black, white, "d5", "d5");
  await saying(white, black, "ed5", "ed5");
  assert.equal(await page.getByText(/x[a-h][1-8]/).count(), 0, "White was not told of a capture");
  // In wild16 the capture and the check are announced, so the name of the move has an x and a +.
  await sitDown(white, black, "wild16");
  await saying(white, black, "e4", "e4");
  await saying(black, white, "d5", "d5");
  await types(page, "ef5");
  await log(page).getByText("No: ef5.").waitFor();
  await saying(white, black, "ed5", "exd5");
  await saying(black, white, "Qd5", "Qxd5");
  await saying(white, black, "Nc3", "Nc3");
  await saying(black, white, "Qe5", "Qe5+");
  assert.equal(await page.getByText(/Qxd5|Qe5/).count(), 0, "White hears no move of Black");
  await types(page, "resign");
  await page.getByRole("dialog", { name: "Resign" }).getByRole("button", { name: "Resign" }).click();

  await reviews(page);
  const review = region(page, "Review of the game");
  await review.getByRole("button", { name: "exd5, played" }).click();
  // The text under the board has the same name of the move.
  await review.getByText("You play exd5.").waitFor();
  const list = region(page, "Moves and refused tries: scroll with the arrow keys");
  await page.keyboard.press("Home");
  await list.evaluate((element) => element.style.setProperty("max-height", "5em"));
  await list.focus();
  assert.ok(await focused(list), "the list takes the focus");
  await until("the list scrolls", async () => {
    await page.keyboard.press("ArrowDown");
    return list.evaluate((element) => element.scrollTop > 30);
  });
  for (const person of [white, black]) await person.leave();
});
