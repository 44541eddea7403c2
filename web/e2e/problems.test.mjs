// Problems: the tile, the list, a problem solved by click, drag and typing, a wrong attempt and its
// refutation, hint and solution, and what this device keeps. At the size of a desk and of a phone.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible } from "./axe.mjs";
import { DESK, PHONE, Person, openBrowser, openClub } from "./club.mjs";
import { button, clicks, drags, field, lastCall, sticksOut, taps, types } from "./table.mjs";

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

const link = (within, name) => within.getByRole("link", { name, exact: true });
const enter = (what) => what.press("Enter");
/** Anderson's problem 3: White mates in two; only one position is possible. */
const ID = "anderson-3";
/** In this problem several positions are possible, and nothing was heard before. */
const SEVERAL = "berkeley-3-2";
const ask = async (path) => (await fetch(`${club.url}/api/problems/${path}`)).json();

/** The attempts of the club's solution. */
async function solution() {
  const attempts = [];
  for (let outcome = "open"; outcome === "open"; ) {
    const { attempt } = await ask(`${ID}/solution?attempts=${attempts}`);
    ({ outcome } = await ask(`${ID}?attempts=${attempts}&try=${attempt}`));
    attempts.push(attempt);
  }
  return attempts;
}

/** Axe finds nothing on a screen, and the screen is not wider than the window. */
async function isFit(page, where) {
  await assertAccessible(page, where);
  assert.equal(await sticksOut(page), 0, where);
}

for (const [size, options] of [["desk", DESK], ["phone", PHONE]]) {
  test(`problems are found, tried, refuted and solved, at a ${size}`, async () => {
    const person = await Person.of(browser, club.url, { ...options, reducedMotion: "reduce" });
    const { page } = person;
    const [key, ...rest] = await solution();
    const [from, to] = [key.slice(0, 2), key.slice(2, 4)];

    // The tile on the front page opens the problem of the day; its link leads to similar ones.
    await enter(page.getByRole("link", { name: /^Problem of the day/ }));
    await page.getByRole("heading", { level: 1, name: /: mate in \d\?$/ }).waitFor();
    assert.equal(new URL(page.url()).pathname, "/problems/today");
    await enter(link(page, "More like this"));
    await page.getByText(/^\d+ problems?\.$/).waitFor();

    // The list, by keyboard: what is chosen is in the address and stays after a reload.
    await page.goto(`${club.url}/problems`);
    await page.getByText("None solved yet on this device").waitFor();
    await page.getByRole("radio", { name: "2", exact: true }).press("Space");
    await page.getByLabel("Composer").selectOption("Gerald Frank Anderson");
    await page.reload();
    await page.getByRole("link", { name: /^Anderson 4/ }).waitFor();
    assert.equal(await page.getByLabel("Composer").inputValue(), "Gerald Frank Anderson");
    await isFit(page, "the list of problems");

    // With an account, the first result changes the rating by problems; retries do not.
    await page.evaluate((body) => fetch("/api/accounts", { method: "POST", headers: { "content-type": "application/json" }, body }), JSON.stringify({ name: `Solver-${size}`, password: "one-day-64" }));

    // A wrong move, typed: the position that refutes it, then once more.
    await enter(page.getByRole("link", { name: /^Anderson 3\b/ }));
    await page.getByText(/yours 1500 ± 350/).waitFor();
    await page.getByText(/by Gerald Frank Anderson\s· Are There Any\?, no\. 3/).waitFor();
    await page.getByRole("img", { name: /^Your men: .* The opponent's men: King e1/ }).waitFor();
    await isFit(page, "a problem");
    await types(page, "Bb8");
    await lastCall(page).getByText("No: now no mate can be forced in time.").waitFor();
    await page.getByText(/^1\. a7b8 b6b8$/).waitFor();
    await page.getByText(/yours \d+ ± \d+ \(−\d+\)/).waitFor();
    const lost = await page.getByText(/yours/).innerText();
    await page.getByRole("img", { name: /^A position that refutes\. White: King h1; .* Black: King e1/ }).waitFor();
    assert.equal(await field(page).count(), 0);
    await isFit(page, "a refutation");
    await enter(button(page, "Try again"));
    await page.getByText("Your move 1 of 2").waitFor();

    // To say that there is no mate is wrong here.
    await enter(button(page, "No forced mate"));
    await lastCall(page).getByText("No: there is a forced mate.").waitFor();
    await enter(button(page, "Try again"));

    // A text that is no move, an impossible move, and a hint.
    person.expected = /422/;
    await types(page, "xyzzy");
    await page.getByText(/^“xyzzy”/).first().waitFor();
    person.expected = null;
    await enter(button(page, "Hint"));
    await page.getByText(new RegExp(`^Try something with the \\w+ on ${from}\\.$`)).first().waitFor();

    // Solved: the first try on the board, the others typed.
    if (size === "desk") await drags(page, "white", from, to);
    else await taps(page, "white", from, to);
    for (const text of rest) {
      await button(page, "Take back").waitFor();
      await types(page, text);
    }
    await lastCall(page).getByText("Solved: mate!").waitFor();
    assert.equal(await page.getByText(/yours/).innerText(), lost);
    await isFit(page, "a solved problem");
    assert.ok(/\/problems\/anderson-/.test(await link(page, "Next problem").getAttribute("href")));

    // What is solved is marked; with the solution nothing is.
    await page.goto(`${club.url}/problems?author=Gerald+Frank+Anderson`);
    await page.getByText("1 solved on this device").waitFor();
    await enter(page.getByRole("link", { name: /^Anderson 3\b.*, solved/ }));
    await page.getByText("Your move 1 of 2").waitFor();
    await clicks(page, "white", from, to);
    await button(page, "Take back").waitFor();
    await enter(button(page, "Take back"));
    await page.goto(`${club.url}/problems/anderson-4`);
    for (let at = 0; (await button(page, "Solution").count()) > 0 || at === 0; at += 1) {
      await enter(button(page, "Solution"));
      await page.getByText(/^(Asking the referee\.\.\.)$/).waitFor({ state: "hidden" });
      assert.ok(at < 20, "the solution ends");
    }
    await lastCall(page).getByText("Solved: mate!").waitFor();
    await page.goto(`${club.url}/problems`);
    await page.getByText("1 solved on this device").waitFor();

    // What both players know: the start of the game; the possible positions, if nothing was heard before.
    const given = page.getByRole("img", { name: /^A position that the problem gives\. White: .* Black: / });
    await page.goto(`${club.url}/problems/wild16-3-1`);
    await enter(button(page, "Start of the game"));
    await page.getByText("The game began in this position.").waitFor();
    await given.waitFor();
    await isFit(page, "the start of the game of a problem");
    await enter(button(page, "Start of the game"));
    await page.getByRole("img", { name: /^Your men: / }).waitFor();
    await page.goto(`${club.url}/problems/${SEVERAL}`);
    await enter(button(page, "Possible positions"));
    await page.getByText(/^Position 1 of the \d+ that are possible\.$/).waitFor();
    await enter(button(page, "Next position"));
    await page.getByText(/^Position 2 of the/).waitFor();
    await given.waitFor();

    // The streak of the problem of the day; a problem that does not exist; German.
    await page.evaluate(() => localStorage.setItem("problems", JSON.stringify({ solved: ["anderson-3"], day: Math.floor(Date.now() / 86_400_000), streak: 3 })));
    await page.reload();
    await page.getByText("3 days in a row").waitFor();
    person.expected = /404/;
    await page.goto(`${club.url}/problems/nobody`);
    await page.getByRole("alert").getByText("There is no such problem").waitFor();
    await page.evaluate(() => localStorage.setItem("language", "de"));
    await page.goto(`${club.url}/problems/${ID}`);
    await page.getByRole("heading", { level: 1, name: "Weiß: Matt in 2?" }).waitFor();
    await isFit(page, "a problem in German");
    await person.leave();
  });
}
