// Guesses on a small phone. They are placed many at a time, typed, undone, and kept for the review.
// The page does not send them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Person, openBrowser, openClub, until } from "./club.mjs";
import { button, chooses, plays, region, reviews, sitDown, spot } from "./table.mjs";

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

test("ten guesses on a phone need twelve taps, and the page says what to do", async () => {
  const small = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const [white, black] = [await Person.of(browser, club.url, small), await Person.of(browser, club.url, small)];
  await sitDown(white, black, "wild16");
  const { page } = white;
  let taps = 0;
  const pick = async (man) => {
    taps += 1;
    await page.getByRole("button", { name: new RegExp(`^${man}: `) }).tap();
    await region(page, "Placing guesses").getByText(`Press a square for each ${man.toLowerCase()}.`).waitFor();
  };
  const put = async (square) => {
    taps += 1;
    const { x, y } = await spot(page, square, "white");
    await page.touchscreen.tap(x, y);
  };
  await pick("Pawn");
  for (const square of ["a6", "b6", "c6", "d5", "e5", "f6", "g6", "h6"]) await put(square);
  // After the last pawn is placed, no kind of man is picked any more.
  await region(page, "Placing guesses").waitFor({ state: "detached" });
  await pick("Knight");
  for (const square of ["c5", "f5"]) await put(square);
  await page.getByRole("img", { name: /Your guesses: Knights c5, f5; Pawns d5, e5, a6, b6, c6, f6, g6, h6\.$|Your guesses: Knights c5, f5; Pawns a6, b6, c6, d5, e5, f6, g6, h6\.$/ }).waitFor();
  assert.equal(taps, 12);
  // The tray has a name. It advises against a third knight before Black has made five moves, and does not refuse it.
  const tray = region(page, "Your guesses");
  assert.equal(await tray.getByRole("heading", { name: "Your guesses" }).isVisible(), true);
  await page.getByRole("button", { name: "Knight: 0 of 2 to place" }).tap();
  await put("g5");
  await page.getByRole("img", { name: /Your guesses: Knights c5, f5, g5;/ }).waitFor();
  await tray.getByRole("status").getByText("At most 2 knights: no pawn can have been promoted yet.").waitFor();
  await page.getByRole("button", { name: "Knight: 0 of 2 to place" }).tap();
  await put("g5");
  // A king that is placed again leaves its first square.
  await pick("King");
  await tray.getByRole("status").getByText("King: press a square; 1 left.").waitFor();
  await put("e8");
  await pick("King");
  await put("g8");
  await page.getByRole("img", { name: /Your guesses: King g8; Knights c5, f5;/ }).waitFor();
  // A tap on a guess and then on an own man selects the own man. The guess stays where it is.
  for (const square of ["d5", "g1", "f3"]) await put(square);
  await page.getByRole("img", { name: /knights? [a-h1-8, ]*f3.*Your guesses: .*d5/i }).waitFor();
  // The board, the men to place and the hint are visible together: the page was not scrolled.
  assert.equal(await page.evaluate(() => scrollY), 0);
  for (const person of [white, black]) await person.leave();
});

test("guesses are set up, placed one after the other, typed and undone; the review shows the guesses of each step", async () => {
  const small = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const [white, black] = [await Person.of(browser, club.url, small), await Person.of(browser, club.url, small)];
  const game = await sitDown(white, black, "wild16");
  const { page } = white;
  const guessed = (text) => page.getByRole("img", { name: text }).waitFor();
  const before = white.sent.length;

  // One tap picks the pawns. Each further tap places a pawn.
  await page.getByRole("button", { name: /^Pawn: 8 of 8/ }).tap();
  for (const square of ["a5", "b5", "c5", "d5"]) {
    const { x, y } = await spot(page, square, "white");
    await page.touchscreen.tap(x, y);
  }
  await guessed(/Your guesses: Pawns a5, b5, c5, d5\.$/);
  await page.getByRole("button", { name: /^Pawn: 4 of 8/ }).tap();

  await button(page, "Guesses").tap();
  await page.getByRole("textbox", { name: "Type guesses" }).fill("ke8 qd8, -a5");
  await button(page, "Place").tap();
  await guessed(/Your guesses: King e8; Queen d8; Pawns b5, c5, d5\.$/);
  await button(page, "Undo").tap();
  await guessed(/Your guesses: Pawns a5, b5, c5, d5\.$/);
  await button(page, "Set up the opening position").tap();
  await guessed(/Your guesses: King e8; Queen d8; Rooks a8, h8; Bishops c8, f8; Knights b8, g8; Pawns a7, b7, c7, d7, e7, f7, g7, h7\.$/);
  assert.equal(await page.getByRole("list", { name: "Guesses on the board" }).getByRole("listitem").count(), 16);
  await page.getByRole("textbox", { name: "Type guesses" }).fill("e9");
  await button(page, "Place").tap();
  await page.getByRole("status").getByText(/^Write men and squares/).waitFor();
  assert.deepEqual(white.sent.slice(before).filter((one) => !one.includes('"ping"')), [], "nothing is sent");

  await plays(white, black, "e2e4");
  await plays(black, white, "e7e5");
  await page.getByRole("textbox", { name: "Type guesses" }).fill("-e7 e5");
  await button(page, "Place").tap();
  await guessed(/Pawns a7, b7, c7, d7, e5, f7, g7, h7\.$/);
  await chooses(page, "Resign");
  await page.getByRole("dialog", { name: "Resign" }).getByRole("button", { name: "Resign" }).tap();
  await reviews(page);
  const review = region(page, "Review of the game");
  await review.getByRole("checkbox", { name: "Show my guesses of this step" }).check();
  await review.getByRole("img", { name: /^White's men: .*Pawns .*e5/ }).waitFor();
  await button(page, "To the start").tap();
  await review.getByRole("img", { name: /^White's men: .*Pawns .*e7/ }).waitFor();
  await button(page, "One step forward").tap();
  await review.getByRole("img", { name: /^White's men: .*Pawns .*e7/ }).waitFor();
  // Black has no guesses, so there is nothing to show.
  await reviews(black.page);
  assert.equal(await black.page.getByRole("checkbox", { name: "Show my guesses of this step" }).count(), 0);
  await until("the guesses are on this device", () => page.evaluate((game) => localStorage.getItem(`guess-steps:${game}:white`) !== null, game));
  assert.equal(white.sent.some((one) => /guess/.test(one.replace(/https?:\S+/g, ""))), false, "no guess was sent");
  for (const person of [white, black]) await person.leave();
});
