// What the club tells of two accounts after a rated game: profiles, a block, a report and the operator's page, the leaderboard,
// the search of finished games. By keyboard, one at a desk and one with a phone.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { assertAccessible } from "./axe.mjs";
import { DESK, PHONE, Person, openBrowser, openClub, program, until } from "./club.mjs";
import { button, chooses, getsTurn, lastCall, plays, region, sitDown, sticksOut } from "./table.mjs";

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

const link = (within, name) => within.getByRole("link", { name, exact: true });
const enter = (what) => what.press("Enter");

async function opens({ page }, name) {
  await enter(page.getByRole("button", { name: /: menu$/ }));
  await enter(link(page.locator("#menu"), name));
}

/** Axe finds nothing on a screen, and the screen is not wider than the window. */
async function isFit(page, where) {
  await assertAccessible(page, where);
  assert.equal(await sticksOut(page), 0, where);
}

test("a profile, a block, a report, the leaderboard and the search after a rated game", async () => {
  const [anna, bert] = [await Person.of(browser, club.url, { ...PHONE, reducedMotion: "reduce" }), await Person.of(browser, club.url, { ...DESK, reducedMotion: "reduce" })];
  const { page } = anna;
  const game = await sitDown(anna, bert, "wild16", undefined, null, ["Anna", "Bert"]);
  await getsTurn(page);
  await page.locator(".terms").getByText(/· rated/).waitFor({ state: "attached" });
  // The profile opens in another tab, and the game stays.
  const tab = anna.context.waitForEvent("page");
  await enter(link(page, "Bert").first());
  const profile = await tab;
  await profile.getByRole("heading", { level: 1, name: "Bert" }).waitFor();
  await until("the title says that a game waits", async () => (await profile.title()) === "(1) Kriegspiel Umpire: Bert");
  await profile.close();
  for (const [mover, other, move] of [[anna, bert, "e2e4"], [bert, anna, "e7e5"], [anna, bert, "g1f3"], [bert, anna, "b8c6"]]) await plays(mover, other, move);
  await chooses(page, "Resign");
  await enter(page.getByRole("dialog", { name: "Resign" }).getByRole("button", { name: "Resign" }));
  for (const one of [page, bert.page]) await lastCall(one).getByText("The game is over").waitFor();

  // What the owner says is there for everybody.
  await opens(anna, "Profile");
  await page.getByLabel("About you").fill("plays on Sundays");
  await enter(page.getByLabel("About you"));
  await page.getByRole("status").getByText("Saved.").waitFor();
  await isFit(page, "the own profile");
  await page.goto(`${club.url}/@/Bert`);
  const rating = region(page, "Ratings").getByRole("article");
  await until("the rating is shown", async () => /^Wild 16\s+1[5-9]\d\d/.test(await rating.innerText()));
  await page.getByRole("table", { name: "Opponents" }).getByText("1 won, 0 drawn, 0 lost").waitFor({ state: "attached" });

  // A block holds in both directions.
  await enter(button(page, "Block Bert"));
  await page.getByText("You block Bert: ").waitFor();
  await bert.page.goto(`${club.url}/@/Anna`);
  await bert.page.getByText("plays on Sundays").waitFor();
  assert.equal(await button(bert.page, "Block Anna").count(), 1);
  await enter(button(bert.page, "Challenge Anna"));
  bert.expected = /409/;
  await enter(bert.page.locator("form").getByRole("button", { name: "Challenge Anna" }));
  await bert.page.getByRole("alert").getByText("Anna blocks you").waitFor();
  await enter(button(page, "Unblock Bert"));
  await button(page, "Block Bert").waitFor();

  // A report goes to the operator.
  await enter(page.getByText("Fair play: report Bert"));
  await page.getByLabel("What happened").fill("stalls");
  await enter(button(page, "Report"));
  await page.getByText("The operator has your report.").waitFor();
  await isFit(page, "a report");

  // The operator reads it, and answers.
  await page.goto(`${club.url}/operator`);
  anna.expected = /status of 404/;
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  execFileSync(program(), ["accounts", "operator", "Anna", "--data", club.data]);
  await enter(button(page, "Anna: menu"));
  await enter(button(page.locator("#menu"), "Account"));
  await enter(link(page, "The operator's page"));
  await page.reload();
  const open = region(page, "Open reports");
  await open.getByText("Bert  Anna: stalls").waitFor();
  await page.getByLabel("Name of an account").fill("Bert");
  await page.getByLabel("What to do").selectOption("figures");
  await enter(button(page, "Do it"));
  await page.getByText(/^game .*engine/).waitFor();
  await page.getByLabel("What to do").selectOption("mute");
  await page.getByLabel("Reason, for the notes").fill("stalled");
  await enter(page.getByLabel("Reason, for the notes"));
  await page.getByText("Bert is muted.").waitFor();
  await open.getByText("stalls").waitFor({ state: "detached" });
  await isFit(page, "the operator's page");

  // The leaderboard: nobody is listed yet; then the own place is marked.
  await opens(anna, "Leaderboard");
  await page.getByText(/^Nobody is in this list yet/).waitFor();
  await page.getByRole("radio", { name: "Programs", exact: true }).press("Space");
  await page.getByRole("row", { name: /^1 Level 1 \(beginner\) 1000/ }).waitFor();
  await page.reload();
  await page.getByRole("row", { name: /^1 Level 1/ }).waitFor();
  const listed = { family: "wild16", kind: "people", against: "people", rows: ["Bert", "Anna"].map((name, at) => ({ player: { name, kind: "person" }, points: 1700 - at, deviation: 80 })) };
  const ladder = { family: "wild16", kind: "programs", against: "programs", rows: [["a-1", "b-2", 3, 1], ["b-2", "a-1", 1, 3]].map(([name, other, won, lost]) => ({ player: { name, kind: "program" }, points: 1500 + won, deviation: 100, scores: [{ player: { name: other, kind: "program" }, score: { won, drawn: 0, lost } }] })) };
  for (const { page } of [anna, bert]) {
    await page.route("**/api/leaderboard*", (route) => route.fulfill({ json: route.request().url().includes("against=programs") ? ladder : listed }));
    await page.goto(`${club.url}/leaderboard`);
    await page.getByRole("row", { name: /^1 Bert .*1700 deviation 80/ }).waitFor();
    await page.getByRole("row", { name: /^2 Anna .*1699 deviation 80/ }).waitFor();
    await isFit(page, "the leaderboard");
    await page.goto(`${club.url}/leaderboard?kind=programs&against=programs`);
    await page.getByRole("table", { name: /^Cross table/ }).getByRole("row", { name: "a-1 75 % ± 33" }).waitFor();
    await isFit(page, "the ladder");
  }
  await page.goto(`${club.url}/leaderboard`);
  await page.getByRole("row", { name: "2 Anna (you) 1699 deviation 80" }).waitFor();

  // The search of finished games is in the address, so it stays after a reload.
  await opens(anna, "My finished games");
  const rows = region(page, "Finished games").getByRole("listitem");
  await rows.getByText("You lost, resignation").waitFor();
  assert.equal(await link(rows, "Review the game against Bert").getAttribute("href"), `/game/${game}`);
  await enter(page.locator("summary", { hasText: "Search" }));
  await page.getByLabel("Result").selectOption("Won");
  await enter(button(page, "Search"));
  await page.getByText("No finished game matches.").waitFor();
  await page.reload();
  await page.getByText("No finished game matches.").waitFor();
  await page.getByLabel("Result").selectOption("Lost");
  await page.getByLabel("Opponent").fill("Bert");
  await enter(page.getByLabel("Opponent"));
  await page.getByText("1 game.", { exact: true }).waitFor();
  await bert.page.goto(page.url());
  await bert.page.getByText(/^\d+ games?\.$|No finished game matches/).first().waitFor();
  for (const one of [page, bert.page]) await isFit(one, "the search of finished games");
  await page.goBack();
  await page.getByText("No finished game matches.").waitFor();

  // An address that no page writes names nobody.
  anna.expected = /404/;
  await page.goto(`${club.url}/@/%zz`);
  await page.getByRole("alert").waitFor();
  for (const person of [anna, bert]) await person.leave();
});
