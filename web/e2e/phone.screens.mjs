// A phone of 390 by 844 pixels, by touch only.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible } from "./axe.mjs";
import { PHONE, Person, openBrowser, openClub, until } from "./club.mjs";
import { golden, onThePage } from "./referee.mjs";
import { ATTEMPTS, GAME, RULES } from "./story.mjs";
import { board, button, chooses, field, getsTurn, lastCall, log, region, reviews, sitDown, spot, sticksOut, taps, types } from "./table.mjs";

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

/** Checks that nothing is wider than the screen, and that all controls are on the screen and large enough for a finger. */
async function fits(page, where) {
  assert.equal(await sticksOut(page), 0, `${where} is wider than the screen`);
  // All controls are read in one step, because the page may change between two steps.
  const seen = await page.getByRole("button").or(page.getByRole("textbox")).evaluateAll((all) =>
    all
      .filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .map((one) => {
        const { x, width, height } = one.getBoundingClientRect();
        return { called: one.ariaLabel ?? one.innerText, x, width, height };
      }),
  );
  assert.ok(seen.length > 0, `${where} has nothing to press`);
  for (const { called, x, width, height } of seen) {
    const name = `${where}: ${called}`;
    assert.ok(x >= 0 && x + width <= PHONE.viewport.width + 1, `${name} is beside the screen`);
    assert.ok(width >= 43.9 && height >= 43.9, `${name} is too small for a finger: ${width} x ${height}`);
  }
}

test("a whole game on a phone by touch: tries on the board, a promotion, the review", async () => {
  const record = golden(RULES, ATTEMPTS);
  const white = await Person.of(browser, club.url, PHONE);
  const black = await Person.of(browser, club.url, PHONE);
  const { page } = white;
  await region(page, "New game").scrollIntoViewIfNeeded();
  await button(page, "Play Random moves with your settings").waitFor();
  await fits(page, "the lobby");
  await page.goto(`${club.url}/rules`);
  await page.getByRole("heading", { level: 1, name: "The rulesets" }).waitFor();
  await page.getByRole("table").first().waitFor();
  await fits(page, "the rules");

  await sitDown(white, black, RULES);
  const people = { white, black };
  // The whole board, the last call and the player's own name are on the screen together.
  const { x, y, width, height } = await board(page).boundingBox();
  assert.ok(x >= 0 && x + width <= 390 && y >= 0 && y + height <= 844, "the board is on the screen");
  assert.ok(width >= 360, `the board is as wide as the screen: ${width}`);
  assert.ok((await lastCall(page).boundingBox()).y >= 0);
  assert.equal(await page.evaluate(() => scrollY), 0, "a game that opens is shown from its top");

  for (const [at, [side, attempt, hand]] of GAME.entries()) {
    const { page } = people[side];
    const line = record[at + 1];
    const [from, to] = [attempt.slice(0, 2), attempt.slice(2, 4)];
    if (hand === "asks") await button(page, "Any?").tap();
    else if (hand === "offers") await chooses(page, "Offer draw");
    else if (hand === "declines") await chooses(page, "Decline draw");
    else await taps(page, side, from, to);
    if (hand === "insists") await button(page, "Ask the referee anyway").tap();
    if (hand === "promotes") {
      const dialog = page.getByRole("dialog", { name: "Promote the pawn to" });
      await dialog.waitFor();
      await fits(page, "the choice of a promotion");
      await assertAccessible(page, "the choice of a promotion on a phone");
      await dialog.getByRole("button", { name: "Queen" }).tap();
    }
    for (const who of ["white", "black"])
      await log(people[who].page).getByText(onThePage(line[who], who, RULES), { exact: true }).first().waitFor();
    if (line.answer === "no") {
      await region(page, "Why").waitFor();
      await fits(page, "the table after a no");
      await button(page, "Explain the calls").tap();
      const meaning = page.getByRole("dialog", { name: "What the calls mean" });
      await meaning.getByText("White is told no").or(meaning.getByText("No: e5")).first().waitFor();
      await fits(page, "what the calls mean");
      await meaning.getByRole("button", { name: "Close" }).tap();
    }
  }
  for (const { page } of [white, black]) {
    await fits(page, "the end of a game");
    await reviews(page);
    await region(page, "Review of the game").getByRole("img", { name: /^The referee's board/ }).waitFor();
    await fits(page, "three boards");
    await button(page, "To the start").tap();
    await button(page, "One step forward").tap();
    await page.getByText(`1 of ${GAME.length}`).waitFor();
  }
  // Visitors who did not play open the game by its link.
  for (const viewport of [PHONE.viewport, { width: 320, height: 640 }, { width: 800, height: 600 }]) {
    const visitor = await Person.of(browser, club.url, { ...PHONE, viewport });
    const where = `three boards for a visitor, ${viewport.width} wide`;
    visitor.expected = /404/;
    await visitor.page.goto(page.url());
    await region(visitor.page, "Review of the game").getByRole("img", { name: /^The referee's board/ }).waitFor();
    assert.equal(await sticksOut(visitor.page), 0, `${where} are wider than the screen`);
    for (const figure of await visitor.page.locator(".three figure").all()) {
      const { width } = await figure.boundingBox();
      // Where there is room, the players' boards are smaller, beside the referee's.
      const least = viewport.width > 700 ? 250 : Math.min(300, viewport.width - 40);
      assert.ok(width >= least, `${where}: a board is ${width} wide`);
    }
    for (const place of ["/", "/rules", "/rules/compare", "/rules/wild16", "/rules/nosuch", "/api"]) {
      await visitor.page.goto(`${club.url}${place}`);
      await visitor.page.getByRole("heading", { level: 1 }).or(visitor.page.getByRole("alert")).first().waitFor();
      assert.equal(await sticksOut(visitor.page), 0, `${place} is wider than the screen, ${viewport.width} wide`);
    }
    await visitor.leave();
  }
  for (const person of [white, black]) await person.leave();
});

test("while a try is typed on a phone, the last call and its reason stay visible", async () => {
  const small = { ...PHONE, viewport: { width: 360, height: 740 } };
  const [white, black] = [await Person.of(browser, club.url, small), await Person.of(browser, club.url, small)];
  await sitDown(white, black, "wild16");
  const { page } = white;
  await getsTurn(page);
  await field(page).tap();
  // The window gets smaller, as if an on-screen keyboard covered a half of the screen.
  await page.setViewportSize({ width: 360, height: 400 });
  await field(page).scrollIntoViewIfNeeded();
  const seen = async (what, name) => {
    const { y, height } = await what.boundingBox();
    assert.ok(y >= 0 && y + height <= 401, `${name} is visible while typing: ${y}, ${height}`);
  };
  await seen(lastCall(page), "the last call");
  await seen(field(page), "the field");
  await types(page, "e1e3");
  const impossible = region(page, "Impossible move").getByText("e1 to e3 is impossible");
  await impossible.waitFor();
  await seen(impossible, "the impossible move");
  await field(page).press("Enter");
  await lastCall(page).getByText(/^No: /).waitFor();
  await seen(region(page, "Why").getByText("Your own men cannot do that."), "the reason");
  await seen(field(page), "the field");
  await assertAccessible(page, "typing on a phone");
  // The keyboard of the phone neither corrects nor completes a try.
  for (const [name, value] of [["autocomplete", "off"], ["autocorrect", "off"], ["autocapitalize", "none"], ["spellcheck", "false"], ["enterkeyhint", "send"]])
    assert.equal(await field(page).getAttribute(name), value, name);
  for (const person of [white, black]) await person.leave();
});

test("on a phone resigning needs a confirmation but no scrolling, and the result is in the second person", async () => {
  const small = { ...PHONE, viewport: { width: 360, height: 740 } };
  const [white, black] = [await Person.of(browser, club.url, small), await Person.of(browser, club.url, small)];
  await sitDown(white, black, "wild16");
  const { page } = white;
  const more = await button(page, "More").boundingBox();
  assert.ok(more.y + more.height <= 740, `the menu is on the screen: ${more.y}`);
  assert.equal(await button(page, "Resign").count(), 0, "Resign is in the menu only");
  await chooses(page, "Offer draw");
  await button(black.page, "Answer").waitFor();
  await chooses(black.page, "Decline draw");
  await button(black.page, "More").waitFor();
  await button(page, "More").tap();
  const menu = page.getByRole("dialog", { name: "Game", exact: true });
  await assertAccessible(page, "the menu of a game");
  assert.equal(await menu.getByRole("button", { name: "Close" }).evaluate((one) => one === document.activeElement), true, "the focus is on Close, so Enter only closes the menu");
  await menu.getByRole("button", { name: "Resign" }).tap();
  const asked = page.getByRole("dialog", { name: "Resign" });
  await asked.getByRole("button", { name: "Resign" }).tap();
  await lastCall(page).getByText("You lost: you resigned, 0-1.", { exact: true }).waitFor();
  await lastCall(black.page).getByText("You won: your opponent resigned, 0-1.", { exact: true }).waitFor();
  const visitor = await Person.of(browser, club.url, small);
  visitor.expected = /404/;
  await visitor.page.goto(page.url());
  await lastCall(visitor.page).getByText("White resigns: Black wins, 0-1.", { exact: true }).waitFor();

  // The referee's board comes first, even if White's board shows a heat map; a swipe shows the others. The bar with
  // the buttons takes little height.
  await reviews(page);
  const review = region(page, "Review of the game");
  const left = async (name) => (await review.getByRole("img", { name }).boundingBox()).x;
  await review.getByRole("img", { name: /^The referee's board/ }).waitFor();
  const inOrder = async () => (await left(/^The referee's board/)) < (await left(/^White's men/)) && (await left(/^White's men/)) < (await left(/^Black's men/));
  assert.ok(await inOrder());
  const bar = await button(page, "One step forward").evaluate((one) => one.closest(".stepping").getBoundingClientRect().height);
  assert.ok(bar <= 74, `the bar is ${bar} high`);
  assert.ok((await left(/^The referee's board/)) >= 0 && (await left(/^White's men/)) >= 360);
  await button(page, "White").tap();
  await until("White's board is on the screen", async () => (await left(/^White's men/)) === 0);
  await button(page, "Referee").tap();
  await page.getByRole("tab", { name: "What could be known" }).tap();
  await review.getByText("Heat map: how probable a man of Black is on a square.").waitFor();
  for (const percent of ["under 5 %", "20 %", "100 %"]) await review.getByText(percent, { exact: true }).waitFor();
  assert.ok(await inOrder(), "the heat map does not change the order");
  await assertAccessible(page, "the review with a heat map on a phone");
  // A guest finds out here how to keep the games.
  await button(page, "Create an account to keep your games").tap();
  await page.getByRole("dialog", { name: "Create account" }).waitFor();
  for (const person of [white, black, visitor]) await person.leave();
});

test("on a phone a finger sets a guess on the board, and a long press takes it away", async () => {
  const white = await Person.of(browser, club.url, PHONE);
  const black = await Person.of(browser, club.url, PHONE);
  await sitDown(white, black, "wild16");
  const { page } = white;
  await page.getByRole("button", { name: /^Queen: / }).tap();
  const { x, y } = await spot(page, "d8", "white");
  await page.touchscreen.tap(x, y);
  await page.getByRole("img", { name: /Your guesses: Queen d8\.$/ }).waitFor();
  // A guess is not an own man, so nothing is sent when it is moved.
  await taps(page, "white", "d8", "e7");
  await page.getByRole("img", { name: /Your guesses: Queen e7\.$/ }).waitFor();
  const away = await spot(page, "e7", "white");
  const touch = await white.context.newCDPSession(page);
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [away] });
  await page.getByRole("img", { name: /Your men: [^.]*\.$/ }).waitFor();
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  assert.equal(white.sent.some((said) => said.includes('"try"')), false, "no try was sent");
  await types(page, "e2e4");
  await log(page).getByText("You play e2e4").waitFor();
  assert.equal(await field(page).inputValue(), "");
  for (const person of [white, black]) await person.leave();
});
