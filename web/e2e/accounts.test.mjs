// The life of an account, by accessible names only. A guest with a running game makes the account.
// Then the password is changed, the account is recovered with a code, exported, and deleted.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { assertAccessible } from "./axe.mjs";
import { Person, openBrowser, openClub, until } from "./club.mjs";
import { button, field, gameOf, log, menu, types } from "./table.mjs";

const SMALL = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

let club;
let browser;
before(async () => {
  club = await openClub("--bots", "sparring", "--think", "50");
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await club?.close();
});

const dialog = (page, name) => page.getByRole("dialog", { name, exact: true });
const types_ = (within, label, text) => within.getByLabel(label, { exact: true }).fill(text);

test("an account is made, changed, recovered, exported and deleted", async () => {
  const [person, other] = [await Person.of(browser, club.url), await Person.of(browser, club.url)];
  const { page } = person;
  await button(page, "Play now").click();
  await field(page).waitFor();
  const game = await gameOf(page);
  await types(page, "e2e4");
  await log(page).getByText(/^You play e2e4|You play e4/).first().waitFor();

  // The game of the guest belongs to the new account.
  await menu(page, "Create account");
  const making = dialog(page, "Create account");
  await types_(making, "Name", "Anna");
  await types_(making, "Password", "correct horse");
  await making.getByRole("button", { name: "Create account" }).click();
  const codes = dialog(page, "Recovery codes").getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await codes.nth(5).waitFor();
  assert.equal(await codes.count(), 6);
  const code = await codes.nth(1).innerText();
  assert.match(code.trim(), /^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
  await assertAccessible(page, "recovery codes");
  // Both buttons, for copying and for saving, give all codes.
  await person.context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: club.url });
  const listed = (await codes.allInnerTexts()).map((one) => one.trim());
  await button(page, "Copy").click();
  await page.getByRole("status").getByText("Copied.").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const file = page.waitForEvent("download");
  await button(page, "Save as a file").click();
  const saved = await file;
  assert.equal(saved.suggestedFilename(), "kriegspiel-recovery-codes-Anna.txt");
  for (const text of [copied, await readFile(await saved.path(), "utf8")]) {
    assert.deepEqual(text.match(/\b[a-z2-9]{4}(-[a-z2-9]{4}){3}\b/g), listed);
    assert.match(text, /^Recovery codes of Anna at 127\.0\.0\.1/);
  }
  await button(page, "I have saved the codes").click();
  await field(page).waitFor();
  assert.equal(await gameOf(page), game, "the seat is kept");

  // A second browser is signed in. The change of the password ends its session.
  await button(other.page, "Sign in").click();
  const signing = dialog(other.page, "Sign in");
  await types_(signing, "Name", "Anna");
  await types_(signing, "Password", "correct horse");
  await signing.getByRole("button", { name: "Sign in" }).click();
  await button(other.page, "Anna: menu").waitFor();
  await menu(page, "Account");
  const own = dialog(page, "Account");
  await own.getByText("6 recovery codes are left.").waitFor();
  const sessions = own.getByRole("list", { name: "Where you are signed in" }).getByRole("listitem");
  await sessions.nth(1).waitFor();
  assert.equal(await sessions.count(), 2);
  await assertAccessible(page, "account");
  const changing = own.getByRole("form", { name: "Change password" });
  await types_(changing, "Current password", "correct horse");
  await types_(changing, "New password", "battery staple");
  await changing.getByRole("button", { name: "Change password" }).click();
  await own.getByText("The password is changed.").waitFor();
  await button(other.page, "Sign in").waitFor();
  await sessions.nth(1).waitFor({ state: "detached" });
  assert.equal(await sessions.count(), 1);

  // The export is a file that the browser saves.
  const saving = page.waitForEvent("download");
  await own.getByRole("link", { name: "Download your data" }).click();
  const lines = (await readFile(await (await saving).path(), "utf8")).trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(lines[0].account.you.name, "Anna");
  assert.equal(lines.at(-1).kind, "end");
  assert.ok(lines.some((line) => line.kind === "running-game" && line.says.game === game));
  await own.getByRole("button", { name: "Close" }).click();

  // The other browser recovers the account.
  await button(other.page, "Sign in").click();
  await signing.getByRole("button", { name: "Forgotten password?" }).click();
  const recovering = dialog(other.page, "Set a new password");
  await types_(recovering, "Name", "Anna");
  await types_(recovering, "Recovery code", code.trim().toUpperCase());
  await types_(recovering, "New password", "third password");
  await recovering.getByRole("button", { name: "Set a new password" }).click();
  await menu(other.page, "Account");
  const left = dialog(other.page, "Account");
  await left.getByText("5 recovery codes are left.").waitFor();
  await button(page, "Sign in").waitFor();

  // Deletion resigns the running game.
  const removing = left.getByRole("form", { name: "Delete the account" });
  await removing.getByText("One game of yours is not over.").waitFor();
  await types_(removing, "Password", "third password");
  await removing.getByRole("button", { name: "Resign it, and delete the account now" }).click();
  await button(other.page, "Sign in").waitFor();
  // The sessions of the account end before the game is over and the account is deleted.
  await until("the finished game has no name of the account", async () => {
    const finished = await (await fetch(`${club.url}/api/games/${game}/finished.json`)).text();
    return finished.includes("deleted-account") && !finished.includes("Anna");
  });
  for (const one of [person, other]) await one.leave();
});

test("on a phone one signs out in the dialog of the account", async () => {
  const person = await Person.of(browser, club.url, SMALL);
  const { page } = person;
  await button(page, "Sign in").tap();
  await dialog(page, "Sign in").getByRole("button", { name: "Create account" }).tap();
  const making = dialog(page, "Create account");
  await types_(making, "Name", "Phoebe");
  await types_(making, "Password", "correct horse");
  await making.getByRole("button", { name: "Create account" }).tap();
  await button(page, "I have saved the codes").tap();
  await menu(page, "Account");
  const own = dialog(page, "Account");
  await own.getByText(/this session/).waitFor();
  await assertAccessible(page, "account on a phone");
  // No field has the focus, so the on-screen keyboard stays closed. "Sign out" is visible without
  // scrolling.
  assert.equal(await own.getByText("You are signed in as Phoebe.").evaluate((one) => one === document.activeElement), true);
  const out = await own.getByRole("button", { name: "Sign out", exact: true }).boundingBox();
  assert.ok(out.y + out.height <= SMALL.viewport.height / 2, `"Sign out" is at ${out.y}`);
  await own.getByRole("button", { name: "Sign out", exact: true }).tap();
  await button(page, "Sign in").waitFor();
  assert.equal((await (await page.request.get(`${club.url}/api/me`)).json()).you, null, "the session has ended");
  await person.leave();
});

test("a guest sees and deletes what the club stores about a guest", async () => {
  const person = await Person.of(browser, club.url, SMALL);
  const { page } = person;
  await button(page, "Play now").tap();
  await field(page).waitFor();
  // The lobby does not lead back to the game.
  await page.getByRole("link", { name: "Lobby", exact: true }).tap();
  await menu(page, "Your data");
  const own = dialog(page, "Account");
  await own.getByText("One game of yours is not over.").waitFor();
  await own.getByRole("link", { name: "Download your data" }).waitFor();
  await assertAccessible(page, "the data of a guest");
  await own.getByRole("button", { name: "Resign it, and delete the account now" }).tap();
  await own.waitFor({ state: "detached" });
  assert.equal((await (await page.request.get(`${club.url}/api/me`)).json()).you, null, "the guest is deleted");
  await button(page, "Play again").waitFor();
  await person.leave();
});
