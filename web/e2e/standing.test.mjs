// A rated game of two accounts, and what the club tells of it afterwards: ratings, profiles, the
// leaderboard, the search of finished games, a block. By keyboard, at the size of a desk and of a phone.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { assertAccessible } from "./axe.mjs";
import { DESK, PHONE, Person, openBrowser, openClub, program, until } from "./club.mjs";
import { button, chooses, field, gameOf, lastCall, plays, region, sticksOut, unfolds } from "./table.mjs";

let club;
let browser;
before(async () => {
  club = await openClub("--bots", "level-1,random", "--think", "50");
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await club?.close();
});

const PASSWORD = "one-day-64";
const link = (within, name) => within.getByRole("link", { name, exact: true });
const enter = (what) => what.press("Enter");

/** Makes an account. Until then a game cannot be rated. */
async function register({ page }, name) {
  await region(page, "New game").scrollIntoViewIfNeeded();
  await unfolds(page);
  await page.getByText("A rated game needs an account.").waitFor();
  assert.ok(await page.getByRole("checkbox", { name: "Rated" }).isDisabled(), "a visitor plays no rated games");
  await enter(button(page, "Sign in"));
  await enter(page.getByRole("dialog", { name: "Sign in" }).getByRole("button", { name: "Create account" }));
  const dialog = page.getByRole("dialog", { name: "Create account" });
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await enter(dialog.getByLabel("Password", { exact: true }));
  await enter(button(page, "I have saved the codes"));
}

async function opens({ page }, name) {
  await enter(page.getByRole("button", { name: /: menu$/ }));
  await enter(link(page.locator("#menu"), name));
}

/** Axe finds nothing on a screen, and the screen is not wider than the window. */
async function isFit(page, where) {
  await assertAccessible(page, where);
  assert.equal(await sticksOut(page), 0, where);
}

for (const [size, options] of [["desk", DESK], ["phone", PHONE]]) {
  test(`a rated game, its ratings, and a block, at a ${size}`, async () => {
    const [white, black] = [await Person.of(browser, club.url, { ...options, reducedMotion: "reduce" }), await Person.of(browser, club.url, { ...options, reducedMotion: "reduce" })];
    const { page } = white;
    const [anna, bert] = [`Anna-${size}`, `Bert-${size}`];
    await Promise.all([register(white, anna), register(black, bert)]);

    // An empty profile says what to do; what the owner says is there for everybody.
    await opens(white, "Profile");
    await page.getByText(/^You have no rating yet/).waitFor();
    await page.getByLabel("About you").fill("plays on Sundays");
    await enter(page.getByLabel("About you"));
    await page.getByRole("status").getByText("Saved.").waitFor();
    await isFit(page, "an empty profile");

    // The challenge, from the profile of the other player.
    await page.goto(`${club.url}/@/${bert}`);
    await enter(button(page, `Challenge ${bert}`));
    const chief = page.locator("form").getByRole("button", { name: `Challenge ${bert}` });
    await until("the form has the focus", () => chief.evaluate((one) => one === document.activeElement));
    await page.getByRole("checkbox", { name: "Rated" }).press("Space");
    await page.getByRole("radio", { name: "White", exact: true }).press("Space");
    await enter(chief);
    const offered = region(black.page, "Challenges").getByRole("listitem");
    await offered.getByText(/ · rated · /).waitFor();
    assert.equal(await link(offered, anna).getAttribute("href"), `/@/${anna}`);
    await enter(offered.getByRole("button", { name: "Accept" }));
    const game = await gameOf(page);
    for (const one of [page, black.page]) await field(one).waitFor();
    await page.locator(".terms").getByText(/· rated/).waitFor({ state: "attached" });

    // The profile opens in another tab, and the game stays.
    const tab = white.context.waitForEvent("page");
    await enter(link(page, bert).first());
    const profile = await tab;
    await profile.getByRole("heading", { level: 1, name: bert }).waitFor();
    await until("the title says that a game waits", async () => (await profile.title()) === `(1) Kriegspiel Umpire: ${bert}`);
    await profile.close();
    for (const [mover, other, move] of [[white, black, "e2e4"], [black, white, "e7e5"], [white, black, "g1f3"], [black, white, "b8c6"]]) await plays(mover, other, move);
    await chooses(page, "Resign");
    await enter(page.getByRole("dialog", { name: "Resign" }).getByRole("button", { name: "Resign" }));
    for (const one of [page, black.page]) {
      await lastCall(one).getByText("The game is over").waitFor();
      await one.getByText(new RegExp(`^Ratings, Wild 16: ${anna}: 1\\d{3} \\(first rating\\) · ${bert}: 1\\d{3} \\(first rating\\)`)).waitFor();
    }
    await isFit(page, "the end of a rated game");

    // The profile has the rating, which is provisional, and the game.
    await enter(link(page, bert).first());
    const rating = region(page, "Ratings").getByRole("article");
    await rating.getByText("provisional").waitFor();
    assert.match(await rating.innerText(), /^Wild 16\s+1[5-9]\d\d/);
    await page.getByText("Black won, resignation").waitFor();
    await page.getByRole("table", { name: "Opponents" }).getByText("1 won, 0 drawn, 0 lost").waitFor({ state: "attached" });
    await isFit(page, "a profile");

    // A block holds in both directions.
    await enter(button(page, `Block ${bert}`));
    await page.getByText(`You block ${bert}: `).waitFor();
    await black.page.goto(`${club.url}/@/${anna}`);
    await black.page.getByText("plays on Sundays").waitFor();
    assert.equal(await button(black.page, `Block ${anna}`).count(), 1);
    await enter(button(black.page, `Challenge ${anna}`));
    black.expected = /409/;
    await enter(black.page.locator("form").getByRole("button", { name: `Challenge ${anna}` }));
    await black.page.getByRole("alert").getByText(`${anna} blocks you`).waitFor();
    await enter(button(page, `Unblock ${bert}`));
    await button(page, `Block ${bert}`).waitFor();

    // A report goes to the operator.
    await enter(page.getByText(`Fair play: report ${bert}`));
    await page.getByLabel("What happened").fill("stalls");
    await enter(button(page, "Report"));
    await page.getByText("The operator has your report.").waitFor();
    await isFit(page, "a report");

    // The operator reads it, and answers.
    await page.goto(`${club.url}/operator`);
    white.expected = /status of 404/;
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    execFileSync(program(), ["accounts", "operator", anna, "--data", club.data]);
    await page.reload();
    const open = region(page, "Open reports");
    await open.getByText(`${bert}  ${anna}: stalls`).waitFor();
    await page.getByLabel("Name of an account").fill(bert);
    await page.getByLabel("What to do").selectOption("figures");
    await enter(button(page, "Do it"));
    await page.getByText(/^game .*engine/).waitFor();
    await page.getByLabel("What to do").selectOption("mute");
    await page.getByLabel("Reason, for the notes").fill("stalled");
    await enter(page.getByLabel("Reason, for the notes"));
    await page.getByText(`${bert} is muted.`).waitFor();
    await open.getByText("stalls").waitFor({ state: "detached" });
    await isFit(page, "the operator's page");

    // The leaderboard: nobody is listed yet; then the own place is marked.
    await opens(white, "Leaderboard");
    await page.getByText(/^Nobody is in this list yet/).waitFor();
    await page.getByRole("radio", { name: "Programs", exact: true }).press("Space");
    await page.getByRole("row", { name: /^1 Level 1 \(beginner\) 1000/ }).waitFor();
    await page.reload();
    await page.getByRole("row", { name: /^1 Level 1/ }).waitFor();
    await page.route("**/api/leaderboard*", (route) => route.fulfill({ json: { family: "wild16", kind: "people", against: "people", rows: [bert, anna].map((name, at) => ({ player: { name, kind: "person" }, points: 1700 - at, deviation: 80 })) } }));
    await page.goto(`${club.url}/leaderboard`);
    await page.getByRole("row", { name: `2 ${anna} (you) 1699 deviation 80` }).waitFor();
    await isFit(page, "the leaderboard");
    const ladder = { family: "wild16", kind: "programs", against: "programs", rows: [["a-1", "b-2", 3, 1], ["b-2", "a-1", 1, 3]].map(([name, other, won, lost]) => ({ player: { name, kind: "program" }, points: 1500 + won, deviation: 100, scores: [{ player: { name: other, kind: "program" }, score: { won, drawn: 0, lost } }] })) };
    await page.unroute("**/api/leaderboard*");
    await page.route("**/api/leaderboard*", (route) => route.fulfill({ json: ladder }));
    await page.goto(`${club.url}/leaderboard?kind=programs&against=programs`);
    await page.getByRole("table", { name: /^Cross table/ }).getByRole("row", { name: "a-1 75 % ± 33" }).waitFor();
    await isFit(page, "the ladder");

    // The search of finished games is in the address, so it stays after a reload.
    await opens(white, "My games");
    const rows = region(page, "Finished games").getByRole("listitem");
    await rows.getByText("You lost, resignation").waitFor();
    assert.equal(await link(rows, `Review the game against ${bert}`).getAttribute("href"), `/game/${game}`);
    if (size === "phone") await enter(page.locator("summary", { hasText: "Search" }));
    await page.getByLabel("Result").selectOption("Won");
    await enter(button(page, "Search"));
    await page.getByText("No finished game matches.").waitFor();
    await page.reload();
    await page.getByText("No finished game matches.").waitFor();
    await page.getByLabel("Result").selectOption("Lost");
    await page.getByLabel("Opponent").fill(bert);
    await enter(page.getByLabel("Opponent"));
    await page.getByText("1 game.", { exact: true }).waitFor();
    await isFit(page, "the search of finished games");
    await page.goBack();
    await page.getByText("No finished game matches.").waitFor();

    // An address that no page writes names nobody.
    white.expected = /404/;
    await page.goto(`${club.url}/@/%zz`);
    await page.getByRole("alert").waitFor();
    for (const person of [white, black]) await person.leave();
  });
}
