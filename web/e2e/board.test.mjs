// The board of a game: walking it by keys, drawing on it, confirming moves, its settings. What it draws and plays depends
// on what the seat heard only.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESK, Person, openBrowser, openClub, until } from "./club.mjs";
import { button, clicks, lastCall, log, plays, region, sitDown, spot, types } from "./table.mjs";

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

const people = (options = DESK) => Promise.all([0, 1].map(() => Person.of(browser, club.url, { ...options, reducedMotion: "reduce" })));
const square = (page, name) => page.getByRole("grid").getByRole("gridcell", { name, exact: true });

test("the board is walked by arrow keys, each square says what it holds, and Enter moves a man", async () => {
  const [white, black] = await people();
  await sitDown(white, black, "wild16");
  for (const { page } of [white, black]) await page.getByRole("grid").waitFor();
  const { page } = white;
  const focused = (name) => until(`the focus is on ${name}`, () => square(page, name).evaluateAll((all) => all.some((one) => one === document.activeElement)));
  await square(page, "e2, your pawn").focus();
  await page.keyboard.press("Enter");
  await square(page, "e2, your pawn, picked up").waitFor();
  for (const name of ["e3, empty", "e4, empty"]) {
    await page.keyboard.press("ArrowUp");
    await focused(name);
  }
  await page.keyboard.press("Enter");
  await log(page).getByText("You play e2e4").waitFor();
  await focused("e4, your pawn, your last move");
  // Black sees the board from the other side.
  await square(black.page, "e7, your pawn").focus();
  await black.page.keyboard.press("ArrowDown");
  await black.page.keyboard.press("ArrowLeft");
  await until("the walk is seen from Black's side", () => square(black.page, "f8, your bishop").evaluate((one) => one === document.activeElement));
  await plays(black, white, "d7d5");
  await square(page, "e4, your pawn, your last move").waitFor();
  // A man that was picked up is put back, and a guess is removed.
  await page.getByRole("textbox", { name: "Type guesses" }).fill("qd8");
  await page.getByRole("textbox", { name: "Type guesses" }).press("Enter");
  await square(page, "d8, your guess, queen").focus();
  await page.keyboard.press("Delete");
  await square(page, "d8, empty").waitFor();
  for (const person of [white, black]) await person.leave();
});

test("arrows and circles are drawn with the right button and stay on this device; a check is drawn", async () => {
  const [white, black] = await people();
  await sitDown(white, black, "wild16");
  const { page } = white;
  const drawn = () => page.locator(".cg-shapes :is(line, circle)").count();
  const before = white.sent.length;
  const [from, to] = [await spot(page, "g1", "white"), await spot(page, "f3", "white")];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await until("the arrow follows the mouse", async () => (await drawn()) > 0);
  await page.mouse.up({ button: "right" });
  await page.mouse.click(to.x, to.y, { button: "right", delay: 100 });
  await until("an arrow and a circle are drawn", async () => (await drawn()) === 2);
  assert.deepEqual(white.sent.slice(before).filter((one) => !one.includes('"ping"')), [], "nothing is sent");
  await page.reload();
  await until("the drawings are kept", async () => (await drawn()) === 2);

  await plays(white, black, "e2e4");
  await plays(black, white, "d7d5");
  await plays(white, black, "e4d5");
  await plays(black, white, "d8d5");
  await page.locator("cg-board square.told").waitFor({ state: "attached" });
  await plays(white, black, "b1c3");
  await plays(black, white, "d5e5");
  await lastCall(page).getByText("Check on the file.").waitFor();
  await page.locator("cg-board square.check").waitFor({ state: "attached" });
  assert.equal(await page.locator(".bands line").count(), 1);
  await square(page, "e1, your king, in check, on the line of the check").waitFor();
  await square(page, "e8, empty, on the line of the check").waitFor();
  assert.equal(await black.page.locator(".bands line, cg-board square.check").count(), 0, "the board of the side that gives check shows no line");
  await plays(white, black, "f1e2");
  assert.equal(await page.locator(".bands line, cg-board square.check").count(), 0, "the drawing ends with the turn");
  for (const person of [white, black]) await person.leave();
});

test("a move on the board waits for its confirmation, if the user wants that; the board has the colours of the settings", async () => {
  const [white, black] = await people();
  const { page } = white;
  await page.goto(`${club.url}/settings`);
  await page.getByRole("checkbox", { name: "Confirm each move on the board" }).check();
  for (const name of ["Brown", "Medium", "Burnett"]) await page.getByRole("radio", { name }).check({ force: true });
  await sitDown(white, black, "wild16");
  const pawn = page.locator("cg-board piece.white.pawn").first();
  await until("the men are Burnett's", () => pawn.evaluate((one) => getComputedStyle(one).backgroundImage.includes("base64")));
  assert.equal(await page.locator("cg-board").evaluate((one) => getComputedStyle(one).backgroundColor), "rgb(192, 154, 118)");
  await clicks(page, "white", "e2", "e4");
  const asked = region(page, "Confirm the move");
  await asked.getByRole("button", { name: "Take back" }).click();
  await asked.waitFor({ state: "detached" });
  await square(page, "e2, your pawn").waitFor();
  assert.equal(white.sent.some((one) => one.includes('"try"')), false, "nothing is sent before the confirmation");
  await clicks(page, "white", "d2", "d4");
  await asked.getByRole("button", { name: "Try" }).click();
  await log(page).getByText("You play d2d4").waitFor();
  for (const person of [white, black]) await person.leave();
});

/** Replaces the sounds by a list of their pitches, `window.pitches`. */
function recordSounds() {
  window.pitches = [];
  const gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
  window.AudioContext = class {
    state = "running";
    currentTime = 0;
    resume() {}
    createGain() {
      return { gain, connect() {} };
    }
    createOscillator() {
      const frequency = { value: 0 };
      return { frequency, connect: (to) => to, start: () => window.pitches.push(frequency.value), stop() {} };
    }
  };
}

test("games with the same hearings and another truth look and sound the same", async () => {
  const [white, black] = await people();
  await white.context.addInitScript(recordSounds);
  const seen = [];
  for (const file of ["d", "f"]) {
    await sitDown(white, black, "wild16");
    const looks = [];
    const look = async () => {
      await white.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      looks.push(await white.page.evaluate(() => [document.title, document.querySelector("main").innerHTML, window.pitches.join()].map((all) => all.replaceAll(/guest\w+/g, "guest"))));
    };
    await plays(white, black, "e2e4");
    await plays(black, white, `${file}7${file}5`);
    await look();
    await plays(white, black, "a2a3");
    // The pawn that captures stood on the file d or f.
    await plays(black, white, `${file}5e4`);
    await lastCall(white.page).getByText("Your pawn on e4 is gone.").waitFor();
    await look();
    await types(white.page, "resign");
    await white.page.getByRole("dialog", { name: "Resign" }).getByRole("button", { name: "Resign" }).click();
    await button(white.page, "Review").waitFor();
    seen.push(looks);
  }
  assert.equal(seen[0][1][2], "520,988,988,988,988,110,220", "the sounds of a move, a pawn try of each side, a loss");
  assert.deepEqual(seen[0], seen[1]);
  for (const person of [white, black]) await person.leave();
});
