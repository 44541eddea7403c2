// What each player could know: the panel of a finished game, by keyboard and by touch.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertAccessible } from "./axe.mjs";
import { DESK, PHONE, Person, openBrowser, openClub, until } from "./club.mjs";
import { button, clicks, field, lastCall, plays, region, reviews, sitDown, sticksOut, taps, types } from "./table.mjs";

let club;
let browser;
/** The address of a finished game. */
let address;
/** The address of a game in which White gives its queen and a bishop away. */
let blunders;
/** The number of steps of this game. */
const STEPS = 6;
before(async () => {
  club = await openClub("--bots", "random");
  browser = await openBrowser();
  const white = await Person.of(browser, club.url);
  const black = await Person.of(browser, club.url);
  const game = await sitDown(white, black, "wild16");
  await plays(white, black, "e2e4");
  await plays(black, white, "d7d5");
  // The answer is "no": the announced pawn try is the capture on d5, not on f5.
  await types(white.page, "e4f5");
  await region(white.page, "Why").waitFor();
  await plays(white, black, "e4d5");
  await plays(black, white, "d8d5");
  await button(white.page, "Resign").click();
  await white.page.getByRole("dialog", { name: "Resign" }).getByRole("button", { name: "Resign" }).click();
  await reviews(white.page);
  address = `${club.url}/game/${game}`;
  await button(white.page, "Back to the lobby").or(white.page.getByRole("link", { name: "Lobby" })).first().waitFor();
  const second = await sitDown(white, black, "wild16");
  for (const [by, other, text] of [[white, black, "e2e4"], [black, white, "e7e5"], [white, black, "d1h5"], [black, white, "b8c6"], [white, black, "h5f7"], [black, white, "e8f7"], [white, black, "f1a6"], [black, white, "b7a6"]]) await plays(by, other, text);
  await button(white.page, "Resign").click();
  await white.page.getByRole("dialog", { name: "Resign" }).getByRole("button", { name: "Resign" }).click();
  await reviews(white.page);
  blunders = `${club.url}/game/${second}`;
  for (const person of [white, black]) await person.leave();
});
after(async () => {
  await browser?.close();
  await club?.close();
});

const tab = (page, name = "What could be known") => page.getByRole("tab", { name, exact: true });
const panel = (page) => region(page, "What each player could know");
const counted = (page, text) => panel(page).getByRole("status").getByText(text, { exact: true }).waitFor();
const heatAt = (page, kind = "") => page.locator(`.heated cg-board square.heat${kind}`);

/** Opens the finished game as a visitor. */
async function visits(options) {
  const visitor = await Person.of(browser, club.url, { reducedMotion: "reduce", ...options });
  await visitor.page.goto(address);
  await region(visitor.page, "Review of the game").waitFor();
  return visitor;
}

test("by keyboard: the number of positions, what was certain, the heat map", async () => {
  const visitor = await visits(DESK);
  const { page } = visitor;
  assert.equal(await heatAt(page).count(), 0, "nothing is shown before it is asked for");
  // From the tab of the moves, an arrow key opens the other tab.
  await tab(page, "Moves").focus();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("heading", { name: "What could White know?" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Home");
  await counted(page, "1 position");
  const certain = page.getByRole("list", { name: "What White knew for certain" });
  assert.equal((await certain.getByRole("listitem").allInnerTexts())[0], "The king is on e8.");
  // After 1. e4 and Black's reply a pawn try is announced, so Black has played d7-d5 or f7-f5.
  await page.keyboard.press("ArrowRight");
  await counted(page, "1 position");
  await page.keyboard.press("ArrowRight");
  await counted(page, "2 positions");
  await page.keyboard.press("ArrowRight");
  await counted(page, "1 position");
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("img", { name: /^Possible positions for White by step, on a logarithmic scale: 2 positions at step 2; most at step \d, / }).waitFor();
  await panel(page).getByRole("combobox", { name: "Show" }).selectOption({ label: "Pawns" });
  await panel(page).getByText(/^Pawns, most probable squares: a7 100 %, .*d5 50 %/).waitFor();
  // Six pawns are certainly on their first squares. Each of the other two pawns is on its first
  // square or two squares further.
  await until("each square on which a pawn can be is marked", async () => (await heatAt(page, "-10").count()) === 6 && (await heatAt(page, "-5").count()) === 4);
  await assertAccessible(page, "the panel");
  await panel(page).getByRole("checkbox", { name: "Heat map on White's board" }).focus();
  await page.keyboard.press("Space");
  await until("the heat map is gone", async () => (await heatAt(page).count()) === 0);
  await page.keyboard.press("Space");

  // An arrow key selects the radio button of Black, and the step stays the same.
  await panel(page).getByRole("radio", { name: "White" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("heading", { name: "What could Black know?" }).waitFor();
  await page.getByRole("list", { name: "What Black knew for certain" }).waitFor();
  await page.getByText(`2 of ${STEPS}`).waitFor();
  await until("the heat map is on Black's board", async () => (await page.locator(".three figure.heated").getByRole("img", { name: /^Black's men/ }).count()) === 1);
  await tab(page).focus();
  await page.keyboard.press("ArrowLeft");
  await until("the heat map disappears with its tab", async () => (await heatAt(page).count()) === 0);
  await visitor.leave();
});

test("what each turn was worth, given what the player knew", async () => {
  const visitor = await visits({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  const { page } = visitor;
  await tab(page, "Accuracy").focus();
  await page.keyboard.press("Enter");
  const turns = region(page, "What each turn was worth");
  await turns.getByRole("status").getByText(/^Accuracy \d+ %\./).waitFor();
  await turns.getByRole("img", { name: "Value of the turns of White, in pawns" }).waitFor();
  assert.equal(await sticksOut(page), 0, "the page is wider than the screen");
  await assertAccessible(page, "the turns");
  await visitor.leave();
});

for (const [size, options] of [["desk", DESK], ["phone", PHONE]]) {
  test(`marked turns are tried again, at a ${size}`, async () => {
    const visitor = await visits({ ...options, reducedMotion: "reduce" });
    const { page } = visitor;
    await page.goto(blunders);
    await tab(page, "Accuracy").focus();
    await page.keyboard.press("Enter");
    const turns = region(page, "What each turn was worth");
    await turns.getByText(/ the man could be retaken in \d+ % of the positions\./).first().waitFor();
    await page.getByRole("link", { name: "Learn from White's mistakes" }).press("Enter");
    const heading = (n) => page.getByRole("heading", { level: 1, name: new RegExp(`^Mistake ${n} of [2-9]$`) });
    await heading(1).waitFor();
    await region(page, "Why").getByText(/was played here\. It cost \d+\.\d pawns on average/).waitFor();
    assert.match(await page.getByRole("img", { name: /^Your men: / }).getAttribute("aria-label"), /Queen d1/);
    await assertAccessible(page, `a mistake, at a ${size}`);
    assert.equal(await sticksOut(page), 0);
    visitor.expected = /409/;
    // An attempt that the men cannot make, and a better one.
    await types(page, "e4e6");
    await region(page, "Why").getByText("From what the player had heard, this attempt was impossible.").waitFor();
    await types(page, "Nf3");
    await lastCall(page).getByText("This is no mistake.").waitFor();
    await button(page, "Next mistake").press("Enter");
    await heading(2).waitFor();

    // What was played, once more, on the board: why it is a mistake.
    await page.getByRole("img", { name: /Queen h5/ }).waitFor();
    await (size === "desk" ? clicks : taps)(page, "white", "h5", "f7");
    await lastCall(page).getByText("This is a mistake, too.").waitFor();
    await region(page, "Why").getByText(/^It is worth .* pawns on average; .* Best: /).waitFor();
    const happens = page.getByRole("list", { name: "What would have happened" });
    await happens.getByText(/^It captures in \d+ %, and in \d+ % the opponent can retake\.$/).waitFor();
    await happens.getByText(/^It is played in /).waitFor();
    assert.equal(await field(page).count(), 0);
    await assertAccessible(page, `the answer, at a ${size}`);
    assert.equal(await sticksOut(page), 0);
    await button(page, "Try again").press("Enter");
    await button(page, "Show the best").press("Enter");
    await lastCall(page).getByText("This is no mistake.").waitFor();
    await page.getByRole("link", { name: "Back to the game" }).press("Enter");
    await region(page, "Review of the game").waitFor();
    await page.evaluate(() => localStorage.setItem("language", "de"));
    await page.goto(`${blunders}/mistakes/white`);
    await page.getByRole("heading", { level: 1, name: /^Fehler 1 von / }).waitFor();
    await visitor.leave();
  });
}

test("a link opens the review at its moment, and carries a picture of it from the chosen seat", async () => {
  const visitor = await visits(DESK);
  const { page } = visitor;
  await page.goto(`${address}?moment=3&seat=black`);
  await page.getByText(`3 of ${STEPS}`, { exact: true }).waitFor();
  await button(page, "Share the link").waitFor();
  await page.getByText("Pictures and files").press("Enter");
  for (const [name, men] of [["White", 16], ["Referee", 32]]) {
    const picture = await page.getByRole("link", { name, exact: true }).getAttribute("href");
    const drawn = await (await fetch(new URL(picture, club.url))).text();
    assert.equal(drawn.match(/[\u265A-\u265F]/gu).length, men, picture);
    assert.equal(drawn.includes("No: e4f5."), men === 16, "White alone has heard the answer");
  }
  const download = page.waitForEvent("download");
  await button(page, "White").last().press("Enter");
  const png = readFileSync(await (await download).path());
  assert.equal(png.toString("latin1", 1, 4), "PNG");
  assert.equal(png.readUInt32BE(16), 1200, "the width");
  // A frame for other sites: only its page may be framed.
  const markup = await page.getByRole("textbox", { name: "In a page of yours:" }).inputValue();
  const framed = /src="([^"]*)"/.exec(markup)[1].replaceAll("&amp;", "&");
  const policy = async (url) => (await fetch(url)).headers.get("content-security-policy");
  assert.match(await policy(framed), /frame-ancestors \*$/);
  assert.match(await policy(address), /frame-ancestors 'none'$/);
  const unknown = await fetch(framed.replace(/game\/\w+/, "game/222222222222"));
  assert.equal(unknown.status, 404);
  const outside = await page.context().newPage();
  await outside.goto(framed);
  const link = outside.getByRole("link");
  await until("the frame's page shows the picture", async () => (await link.getByRole("img").evaluate((img) => img.naturalWidth)) === 1200);
  assert.match(await link.getAttribute("href"), /^\/game\/\w+\?moment=3&seat=umpire$/);
  await outside.close();
  const html = await (await fetch(page.url())).text();
  assert.match(html, /og:image" content="[^"]*\/moments\/3\.svg\?seat=black"/);
  // A finished game can be studied, too.
  await page.getByRole("link", { name: "Comment", exact: true }).press("Enter");
  await page.getByLabel("Comment at step 0").waitFor();
  await visitor.leave();
});

test("a click into the graph shows the step under the click", async () => {
  const visitor = await visits(DESK);
  const { page } = visitor;
  await tab(page).click();
  const graph = page.getByRole("img", { name: /^Possible positions for White/ });
  await graph.waitFor();
  const { width } = await graph.boundingBox();
  await graph.click({ position: { x: (width * 2) / STEPS, y: 40 } });
  await page.getByText(`2 of ${STEPS}`).waitFor();
  await counted(page, "2 positions");
  await visitor.leave();
});

test("if the club refuses the request now, the user can send it again", async () => {
  const visitor = await visits(DESK);
  const { page } = visitor;
  visitor.expected = /503/;
  let refuses = true;
  await page.route("**/belief/white", (route) =>
    refuses
      ? route.fulfill({ status: 503, contentType: "application/json", body: '{"refused":"unavailable","reason":null,"args":{},"retry_after_ms":null,"why":"not now"}' })
      : route.continue(),
  );
  await tab(page).click();
  await panel(page).getByRole("alert").getByText("The club cannot answer now: try again in a moment.").waitFor();
  refuses = false;
  await panel(page).getByRole("button", { name: "Try again" }).click();
  await page.getByRole("list", { name: "What White knew for certain" }).waitFor();
  await visitor.leave();
});

for (const [name, options] of [
  ["small phone, light", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: "light" }],
  ["small phone, dark", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: "dark" }],
  ["desk, dark", { ...DESK, colorScheme: "dark" }],
]) {
  test(`the panel fits and is accessible: ${name}`, async () => {
    const visitor = await visits(options);
    const { page } = visitor;
    await tab(page).click();
    await page.getByRole("list", { name: "What White knew for certain" }).waitFor();
    await button(page, "To the start").click();
    await button(page, "One step forward").click();
    await button(page, "One step forward").click();
    await counted(page, "2 positions");
    assert.equal(await sticksOut(page), 0, "the page is wider than the screen");
    for (const one of await panel(page).getByRole("button").or(panel(page).getByRole("combobox")).or(panel(page).locator(".segments span")).all()) {
      const { width, height } = await one.boundingBox();
      assert.ok(width >= 24 && height >= 24, `${await one.innerText()} is too small for a finger`);
    }
    await assertAccessible(page, `the panel, ${name}`);
    await panel(page).scrollIntoViewIfNeeded();
    await visitor.leave();
  });
}

for (const [size, options] of [["desk", DESK], ["phone", PHONE]]) {
  test(`a position with what was heard is asked about by keyboard, at a ${size}`, async () => {
    const visitor = await Person.of(browser, club.url, { ...options, reducedMotion: "reduce" });
    const { page } = visitor;
    visitor.expected = /422/;
    await page.goto(`${club.url}/study`);
    await page.getByRole("link", { name: "Set up a position" }).press("Enter");
    const fen = page.getByRole("textbox", { name: "FEN" });
    await button(page, "White: rook").press("Enter");
    await page.locator("[data-square=e2]").press("Enter");
    await until("the rook is set", async () => (await fen.inputValue()) === "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1");
    await page.locator("[data-square=e2]").press("Delete");
    await until("the rook is removed", async () => (await fen.inputValue()) === "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    await assertAccessible(page, `the editor of a position, at a ${size}`);
    assert.equal(await sticksOut(page), 0, "the page is wider than the screen");
    await fen.fill("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    const heard = page.getByRole("textbox", { name: "What White has heard since" });
    await heard.fill("e4");
    await button(page, "See what is possible").press("Enter");
    await page.getByRole("alert").getByText(/heard 1/).waitFor();
    await heard.fill("moved w g1f1, tries 0, turn b\nmoved b, tries 0, turn w");
    await button(page, "See what is possible").press("Enter");
    await region(page, "Review of the game").waitFor();
    await page.getByText("What White heard, ", { exact: false }).first().waitFor();
    assert.equal(await page.locator("cg-board").count(), 1, "White's board only");
    await tab(page, "Moves").focus();
    await page.keyboard.press("ArrowRight");
    await counted(page, "1 position");
    const asks = panel(page).getByRole("combobox", { name: "Can White force mate within" });
    await asks.selectOption("1");
    await button(page, "Ask the solver").press("Enter");
    await panel(page).getByText("Mate within 1 own move can be forced: a1a8.").waitFor();
    await assertAccessible(page, `the answer of the solver, at a ${size}`);
    await button(page, "To the end").press("Enter");
    await counted(page, "8 positions");
    await button(page, "Ask the solver").press("Enter");
    await panel(page).getByText(/^Mate within 1 own move cannot be forced\./).waitFor();
    assert.equal(await sticksOut(page), 0, "the page is wider than the screen");

    // Drawn by mouse or finger: an arrow with the right button, a circle by a tap.
    const board = await page.locator("cg-board").boundingBox();
    const at = (file, down) => [board.x + ((file + 0.5) * board.width) / 8, board.y + ((down + 0.5) * board.height) / 8];
    const shapes = page.locator(".cg-shapes");
    if (size === "desk") {
      await page.mouse.move(...at(0, 7));
      await page.mouse.down({ button: "right" });
      await page.mouse.move(...at(0, 0));
      await page.mouse.up({ button: "right" });
      await until("an arrow is drawn", async () => (await shapes.locator("line[stroke='#15781B']").count()) === 1);
    } else {
      await button(page, "Draw").click();
      await page.locator("cg-board").scrollIntoViewIfNeeded();
      await page.locator("cg-board").tap({ position: { x: board.width / 16, y: board.height / 16 } });
      await until("a circle is drawn", async () => (await shapes.locator("circle").count()) === 1);
    }
    await page.getByText("Not saved yet.").waitFor();
    await page.goBack();
    await until("the editor keeps the position", async () => (await fen.inputValue()) === "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");

    // One player's own file has this player's board only.
    await page.goto(`${club.url}/study`);
    await page.getByRole("textbox", { name: "Or the text of the file" }).fill('[View "black"]\n[Rules "wild16"]\n\n1. ?? e5 *');
    await button(page, "Open").press("Enter");
    await page.getByRole("img", { name: /^Black's men: King e8/ }).waitFor();
    assert.equal(await page.getByRole("tab").count(), 2);
    await visitor.leave();
  });
}

const TWO_GAMES = ["A", "C"].map((white) => `[White "${white}"]\n[Black "B"]\n[Rules "wild16"]\n\n1. e4 d5 2. exd5 Qxd5 1-0\n\n`).join("");

for (const [size, options] of [["desk", DESK], ["phone", PHONE]]) {
  test(`a study is read and kept by keyboard, at a ${size}`, async () => {
    const owner = await Person.of(browser, club.url, { ...options, reducedMotion: "reduce" });
    const { page } = owner;
    await page.goto(`${club.url}/study`);
    await page.getByRole("link", { name: "The game of 1971: Hayes – Juhasz" }).press("Enter");
    await region(page, "Review of the game").waitFor();
    await page.getByText("0 of 112", { exact: true }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByText("White: f2f4, played").waitFor();
    await assertAccessible(page, `the game of 1971, at a ${size}`);
    assert.equal(await sticksOut(page), 0, "the page is wider than the screen");

    await page.evaluate((name) => fetch("/api/accounts", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ name, password: "one-day-64" }) }), `Reader-${size}`);
    await page.goto(`${club.url}/study`);
    owner.expected = /422|404/;
    const text = page.getByRole("textbox", { name: "Or the text of the file" });
    await text.fill("1. e4 e5 2. Nf3 *");
    await button(page, "Open").press("Enter");
    await page.getByRole("alert").getByText("The text does not say which ruleset was played: choose one.").waitFor();
    await text.fill(TWO_GAMES.replace("exd5", "exd6"));
    await button(page, "Open").press("Enter");
    await page.getByText("2 games: choose one").waitFor();
    await assertAccessible(page, `the games of a file, at a ${size}`);
    await button(page, "C – B").press("Enter");
    await region(page, "Review of the game").waitFor();
    await tab(page, "Moves").focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("list", { name: "What White knew for certain" }).waitFor();
    await page.getByRole("textbox", { name: "Comment at step 0" }).pressSequentially("The queen comes out early.");
    await page.getByText("Not saved yet.").waitFor();
    await page.getByText("Title, drawings, keep").press("Enter");
    await page.getByRole("textbox", { name: /^Drawn at step 0/ }).pressSequentially("d5 d8d5");
    await page.getByRole("combobox", { name: "Who may read it" }).selectOption("link");
    await assertAccessible(page, `what is kept, at a ${size}`);
    await button(page, "Save").press("Enter");
    await page.waitForURL(/\/study\/[0-9a-f]{16}$/);
    await page.getByRole("link", { name: "Add a chapter" }).or(page.getByText("Title, drawings, keep")).first().waitFor();
    const kept = page.url();

    const reader = await Person.of(browser, club.url, { ...options, reducedMotion: "reduce" });
    await reader.page.goto(kept);
    await reader.page.getByRole("note").getByText("The queen comes out early.").waitFor();
    await reader.page.getByText(`Study by Reader-${size}`).waitFor();
    assert.equal(await reader.page.locator(".umpire .cg-shapes line").count(), 1, "the arrow is drawn");
    assert.equal(await reader.page.getByRole("textbox").count(), 0, "only the owner writes");
    await reader.leave();
    await owner.leave();
  });
}
