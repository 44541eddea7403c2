// One whole evening of two people and the next morning, by keyboard, at a desk and with a phone: they register, play a rated
// game and a rematch, look at each other's profiles, begin a game of days and spend an arena hour; the next day a mail calls
// one of them to the game of days. (The days themselves pass in the tests `club::correspondence`.)

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible } from "./axe.mjs";
import { DESK, PHONE, Person, openBrowser, openClub, until } from "./club.mjs";
import { enters, keepsFocus, tabTo } from "./keys.mjs";
import { openMail } from "./mail.mjs";
import { button, chooses, field, gameOf, lastCall, log, plays, region, sticksOut, types } from "./table.mjs";

let mail;
let club;
let browser;
before(async () => {
  mail = await openMail();
  const post = ["--mail-server", `smtp://127.0.0.1:${mail.port}`, "--mail-from", "club@example.org"];
  club = await openClub("--bots", "level-1", "--think", "50", "--public-url", "http://127.0.0.1:9", ...post);
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await club?.close();
  mail?.close();
});

const enter = (what) => what.press("Enter");
const link = (within, name) => within.getByRole("link", { name, exact: true });

/** Axe finds nothing on a page, and it is not wider than its window. */
async function isFit(page, where) {
  await assertAccessible(page, where);
  assert.equal(await sticksOut(page), 0, where);
}

/** Makes an account by Tab, Enter and letters alone. */
async function register({ page }, name) {
  await enters(page, "button", "Menu");
  await enters(page, "button", "Create account");
  const dialog = page.getByRole("dialog", { name: "Create account" });
  await dialog.waitFor();
  await keepsFocus(page, "in the dialog");
  await isFit(page, "the dialog of a new account");
  for (const [label, text] of [["Name", name], ["Password", "one-day-64"]]) {
    await tabTo(page, "textbox", label, dialog.getByLabel(label, { exact: true }));
    await page.keyboard.type(text);
  }
  await page.keyboard.press("Enter");
  await page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").nth(5).waitFor();
  await keepsFocus(page, "when the codes are shown");
  await isFit(page, "recovery codes");
  await enters(page, "button", "I have saved the codes");
  await button(page, `${name}: menu`).waitFor();
  await keepsFocus(page, "when the account is made");
}

/** A part of the lobby that is loaded when its place is near the screen. */
async function below(page, name) {
  const wanted = region(page, name);
  await until(`${name} is loaded`, async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    return (await wanted.count()) > 0;
  });
  return wanted;
}

async function resigns({ page }) {
  await chooses(page, "Resign");
  await enter(page.getByRole("dialog", { name: "Resign" }).getByRole("button", { name: "Resign" }));
}

test("two people spend an evening, and a mail calls one to a move the next day", async () => {
  const still = { reducedMotion: "reduce" };
  const [anna, bert] = [await Person.of(browser, club.url, { ...DESK, ...still }), await Person.of(browser, club.url, { ...PHONE, ...still })];
  const both = [anna, bert];
  const { page } = anna;
  for (const { page } of both) {
    await region(page, "New game").scrollIntoViewIfNeeded();
    await enter(page.locator("details.terms > summary"));
    await page.getByText("A rated game needs an account.").waitFor();
    assert.ok(await page.getByRole("checkbox", { name: "Rated" }).isDisabled(), "a visitor plays no rated games");
    await isFit(page, "the lobby");
  }
  await Promise.all([register(anna, "Anna"), register(bert, "Bert")]);

  // Anna confirms a mail address.
  await page.goto(`${club.url}/settings#mail`);
  await page.getByLabel("Mail address").fill("anna@example.org");
  await page.getByLabel("Password", { exact: true }).fill("one-day-64");
  await isFit(page, "mail");
  await enter(page.getByLabel("Password", { exact: true }));
  await page.getByText(/^A mail is on its way to anna@example.org/).waitFor();
  await page.goto(club.url + (await mail.next(/\/settings#confirm=\S+/)));
  await enter(button(page, "Confirm my address"));
  await page.getByText("Your address is confirmed.").waitFor();
  assert.equal(new URL(page.url()).hash, "");

  // Who asks for the same game as somebody else plays at once.
  for (const { page } of both) {
    await page.goto(club.url);
    await region(page, "New game").scrollIntoViewIfNeeded();
    await enter(page.locator("details.terms > summary"));
    await page.getByRole("checkbox", { name: "Rated" }).press("Space");
  }
  await page.getByRole("radio", { name: "White", exact: true }).press("Space");
  await enter(button(page, "Find an opponent"));
  await (await below(bert.page, "Open challenges")).getByText("Anna").waitFor();
  await enter(button(bert.page, "Find an opponent"));
  const rated = await gameOf(bert.page);
  assert.equal(await gameOf(page), rated);
  for (const { page } of both) await field(page).waitFor();
  for (const [mover, other, move] of [[anna, bert, "e2e4"], [bert, anna, "e7e5"], [anna, bert, "g1f3"], [bert, anna, "b8c6"]]) await plays(mover, other, move);
  await resigns(anna);
  for (const { page } of both) {
    await page.getByText(/^Ratings, Wild 16: Anna: 1\d{3} \(first rating\) · Bert: 1\d{3} \(first rating\)/).waitFor();
    await isFit(page, "the end of a rated game");
  }

  // Each looks at the other's profile, which has the game and a rating that is provisional.
  for (const [{ page }, name] of [[anna, "Bert"], [bert, "Anna"]]) {
    await enter(link(page, name).first());
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await region(page, "Ratings").getByRole("article").getByText("provisional").waitFor();
    await page.getByText("Black won, resignation").waitFor();
    await isFit(page, "a profile");
    await page.goBack();
  }

  // A rematch changes the colours; the lobby lists it with the own result.
  await enter(button(page, "Rematch"));
  await enter(button(bert.page, "Accept the rematch"));
  await until("the rematch begins", () => both.every(({ page }) => /\/game\//.test(page.url()) && !page.url().endsWith(rated)));
  await page.getByRole("img", { name: /^Your men: King e8/ }).waitFor();
  await resigns(bert);
  for (const [{ page }, end] of [[anna, "You won"], [bert, "You lost"]]) {
    await lastCall(page).getByText("The game is over").waitFor();
    await enter(link(page, "Lobby"));
    const row = (await below(page, "Finished games")).getByRole("listitem").first();
    await row.getByText(end, { exact: true }).waitFor();
    await row.getByText(/, resignation\s·/).waitFor();
    const age = Date.now() - Date.parse(await row.locator("time").getAttribute("datetime"));
    assert.ok(age >= 0 && age < 3_600_000, `the game began ${age} ms ago`);
  }

  // A game of days, from Bert's profile.
  await page.goto(`${club.url}/@/Bert`);
  await enter(button(page, "Challenge Bert"));
  const chief = page.locator("form").getByRole("button", { name: "Challenge Bert" });
  await until("the form has the focus", () => chief.evaluate((one) => one === document.activeElement));
  await page.getByRole("radio", { name: "1 day per move", exact: true }).press("Space");
  await enter(chief);
  await enter(region(bert.page, "Challenges").getByRole("button", { name: "Accept" }));
  const days = await gameOf(bert.page);
  assert.equal(await gameOf(page), days);
  await plays(anna, bert, "e2e4");
  await page.goto(`${club.url}/evenings`);
  await types(bert.page, "e7e5");
  await log(bert.page).getByText("You play e7e5").waitFor();
  await bert.page.goto(`${club.url}/evenings`);
  // Anna sees on another page that it is her turn; she leaves it for tomorrow.
  await until("it is Anna's turn", async () => {
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    return (await page.title()).startsWith("(1) Evenings");
  });
  await enter(button(page, "1 thing waits for you"));
  await link(page, "Your turn against Bert").waitFor();
  await page.keyboard.press("Escape");

  // The form makes an evening for the next hour; its maker cancels it.
  for (const { page } of both) {
    await page.getByText("No evening is planned.").waitFor();
    await isFit(page, "no evening");
  }
  await page.getByLabel("Name", { exact: true }).fill("Tea; and chess");
  await enter(page.getByLabel("Name", { exact: true }));
  await page.getByRole("heading", { level: 1, name: "Tea; and chess" }).waitFor();
  await page.getByText(/^Begins in \d+ minutes$/).waitFor();
  const file = page.waitForEvent("download");
  await enter(link(page, "Calendar file"));
  assert.equal((await file).suggestedFilename(), "evening.ics");
  await isFit(page, "a planned evening");
  await enter(button(page, "Cancel the evening"));
  await page.getByText("No evening is planned.").waitFor();

  // Another begins at once; both join it in the lobby.
  await page.evaluate(async () => {
    const terms = { rules: "wild16", custom: null, time: { kind: "fischer", initial: 300, increment: 3 }, rated: true, color: "any" };
    const evening = { name: "Night", begins: Date.now() + 1_000, minutes: 30, terms };
    await fetch("/api/evenings", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(evening) });
  });
  for (const { page } of both) {
    await page.goto(club.url);
    await enter((await below(page, "Next evening")).getByRole("button", { name: "Join" }));
  }
  const first = await gameOf(page);
  assert.equal(await gameOf(bert.page), first);
  for (const { page } of both) await field(page).waitFor();
  await resigns(anna);
  for (const { page } of both) {
    await lastCall(page).getByText("The game is over").waitFor();
    await isFit(page, "the end of a game of an evening");
  }
  // At once, before a program sits down with whoever was first.
  await Promise.all(both.map(({ page }) => enter(button(page, "Next game of Night"))));
  await page.waitForURL((url) => /\/game\//.test(url.pathname) && !url.pathname.endsWith(first));
  const second = await gameOf(page);
  await until("both play it", () => bert.page.url().endsWith(second));
  await page.goto(`${club.url}/evenings`);
  await enter(link(page, "Night"));
  await page.getByText("Your game is running.").waitFor();
  await region(page, "Games in progress").getByRole("listitem").waitFor();
  const rows = region(page, "Table").getByRole("row");
  assert.deepEqual((await rows.allInnerTexts()).slice(1).map((text) => text.split(/\s+/).join(" ")), ["1 Bert playing 2 1 1", "2 Anna (you) playing 0 0 1"]);
  await isFit(page, "an evening that runs");
  await resigns(bert);
  await enter(button(page, "Next game"));
  await page.getByText("You wait for a game: it opens here.").waitFor();
  await isFit(page, "a player who waits");
  await enter(button(page, "Leave"));
  await anna.leave();

  // The club is stopped for the night. In the morning its first digest calls Anna, who has a new phone and no password any more.
  await bert.page.goto(`${club.url}/game/${days}`);
  await log(bert.page).getByText("You play e7e5").waitFor();
  bert.clubAway = true;
  await club.stop();
  await club.again();
  const turn = await mail.next(/\/game\/\w+/);
  assert.equal(turn, `/game/${days}`);
  const morning = await Person.of(browser, club.url, { ...PHONE, ...still });
  const phone = morning.page;
  await phone.goto(club.url + turn);
  await phone.getByRole("img", { name: /^An empty board/ }).waitFor();
  await enter(button(phone, "Sign in"));
  await enter(button(phone, "Forgotten password?"));
  await enter(link(phone, "New password by mail"));
  await phone.getByLabel("Mail address").fill("anna@example.org");
  await enter(phone.getByLabel("Mail address"));
  await phone.getByText(/^If an account has the address/).waitFor();
  await phone.goto(club.url + (await mail.next(/\/settings#password=\S+/)));
  await phone.getByLabel("New password").fill("battery staple 9");
  await isFit(phone, "a new password");
  await enter(phone.getByLabel("New password"));
  await phone.waitForURL("**/@/Anna");
  await enter(link(phone, "Lobby"));
  await enter(link(region(phone, "Your games").getByRole("listitem").first(), "Continue against Bert"));
  assert.equal(await gameOf(phone), days);
  await plays(morning, bert, "g1f3");
  await isFit(phone, "a game of days");
  for (const person of [morning, bert]) await person.leave();
});
