// People and their tabs: invitations, seats, guesses that are not sent, sounds.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible } from "./axe.mjs";
import { Person, openBrowser, openClub, until } from "./club.mjs";
import { button, chooses, clicks, field, gameOf, getsTurn, insists, lastCall, log, menu, plays, region, sitDown, spot, sticksOut, types } from "./table.mjs";

let club;
let browser;
before(async () => {
  club = await openClub("--bots", "random", "--think", "50");
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await club?.close();
});

test("a link invites one person to the other seat, and anybody else to the room", async () => {
  const [host, guest, third] = [await Person.of(browser, club.url), await Person.of(browser, club.url), await Person.of(browser, club.url)];
  await button(host.page, "Challenge a friend by link").click();
  const link = await host.page.getByRole("textbox", { name: "The link" }).inputValue();
  await third.page.goto(link);
  await button(third.page, "Accept and play").waitFor();
  await guest.page.goto(link);
  await button(guest.page, "Accept and play").click();
  const game = await gameOf(guest.page);
  assert.equal(await gameOf(host.page), game, "the game opens for the host by itself");
  for (const { page } of [host, guest]) await page.getByRole("img", { name: /^Your men: King/ }).waitFor();
  const seats = await Promise.all([host, guest].map(({ page }) => page.getByRole("img", { name: /^Your men: / }).getAttribute("aria-label")));
  assert.notEqual(seats[0], seats[1], "the two pages show different seats");

  // A third person gets no seat: the link of the game gives none, and the invitation can be used
  // only once.
  await third.page.goto(host.page.url());
  await third.page.getByRole("img", { name: /^An empty board/ }).waitFor();
  assert.equal(await field(third.page).count(), 0, "nobody in the room can make a try");
  await third.page.goto(link);
  await third.page.getByText(/^Somebody has already accepted this challenge/).waitFor();
  assert.equal(await button(third.page, "Accept and play").count(), 0);
  for (const person of [host, guest, third]) await person.leave();
});

test("two tabs of one player are one seat", async () => {
  const [white, black] = [await Person.of(browser, club.url), await Person.of(browser, club.url)];
  const game = await sitDown(white, black, "wild16");
  const second = await white.open(`/game/${game}`);
  await field(second).waitFor();
  await insists(second, "e2e5");
  for (const page of [white.page, second]) {
    await region(page, "Impossible moves").getByText("e2 to e5").waitFor();
    await lastCall(page).getByText(/^No/).waitFor();
  }
  await types(white.page, "e2e4");
  for (const page of [white.page, second]) await log(page).getByText("You play e2e4").waitFor();
  await log(black.page).getByText("White has moved").waitFor();
  // Both tabs have received the same hearings, number by number.
  await until("both tabs have received the three hearings", () => white.heard(game).length === 3);
  const away = black.page.getByText("away", { exact: true });
  await second.close();
  await plays(black, white, "e7e5");
  assert.equal(await away.count(), 0, "a player with one open tab is not away");
  await white.page.close();
  await away.waitFor();
  for (const person of [white, black]) await person.leave();
});

test("tries in advance are made in their order, and the opponent's page shows nothing of them", async () => {
  const [white, black] = [await Person.of(browser, club.url), await Person.of(browser, club.url)];
  const game = await sitDown(white, black, "wild16");
  const { page } = black;
  const ahead = page.locator("details.ahead");
  const items = ahead.getByRole("listitem");
  const text = ahead.getByLabel("Try", { exact: true });
  await ahead.locator("summary").press("Enter");
  black.expected = /status of 422/;
  await text.fill("resign");
  await text.press("Enter");
  await ahead.getByText(/is no move/).waitFor();
  const adds = async (what, count, condition) => {
    await text.fill(what);
    if (condition !== undefined) await ahead.getByLabel("If your opponent's move").selectOption({ label: condition });
    await text.press("Enter");
    await until(`${what} is in the list`, async () => (await items.count()) === count);
  };
  await adds("e8e1", 1);
  await ahead.getByRole("checkbox").press("Space");
  await adds("d7d5", 2);
  await ahead.getByRole("checkbox").press("Space");
  await adds("d8d5", 3, "takes your man on this square");
  await adds("a7a6", 4, "is any move");
  await ahead.getByRole("button", { name: "Remove a7 to a6" }).press("Enter");
  await until("a7a6 is removed", async () => (await items.count()) === 3);
  await assertAccessible(page, "tries in advance");
  assert.equal(await sticksOut(page), 0);

  await types(white.page, "e2e4");
  await log(page).getByText("You play d7d5").waitFor();
  await items.getByText("takes your man on d5").waitFor();
  await types(white.page, "e4d5");
  await log(page).getByText("You play d8d5").waitFor();
  await ahead.getByText("The tries in advance have ended.").waitFor();
  await log(white.page).getByText("Black has moved").nth(1).waitFor();
  assert.equal(white.heard(game).flat().some(({ kind }) => kind === "no" || kind === "nonsense"), false, "White hears no refusal");
  assert.equal(await white.page.locator("details.ahead li").count(), 0);
  for (const person of [white, black]) await person.leave();
});

test("the page keeps an unsent try when the opponent goes away", async () => {
  const [white, black] = [await Person.of(browser, club.url), await Person.of(browser, club.url)];
  await sitDown(white, black, "wild16");
  const { page } = white;
  await getsTurn(page);
  await types(page, "e1e3");
  await region(page, "Impossible move").waitFor();
  await black.page.close();
  await page.getByText("away", { exact: true }).waitFor();
  assert.equal(await region(page, "Impossible move").count(), 1, "the page still shows the impossible move");
  await field(page).press("Enter");
  await region(page, "Impossible moves").getByText("e1 to e3").waitFor();
  for (const person of [white, black]) await person.leave();
});

test("who left an adjourned game sees on another page that the opponent resumes it", async () => {
  const [white, black] = [await Person.of(browser, club.url), await Person.of(browser, club.url)];
  await sitDown(white, black, "wild16", { kind: "fischer", initial: 900, increment: 10 });
  await plays(white, black, "e2e4");
  await plays(black, white, "e7e5");
  await chooses(white.page, "Offer to adjourn");
  await chooses(black.page, "Adjourn");
  await region(white.page, "Game adjourned").waitFor();
  await white.page.goto(club.url);
  await region(white.page, "Your games").getByText("Game adjourned").waitFor();
  await chooses(black.page, "Resume");
  await until("the bell counts it", async () => {
    await white.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    return (await button(white.page, "1 thing waits for you").count()) > 0;
  });
  await region(white.page, "Your games").getByText(/wants to resume your game$/).waitFor();
  await region(white.page, "Your games").getByRole("link", { name: /^Open the game/ }).click();
  await chooses(white.page, "Resume");
  await getsTurn(white.page);
  for (const person of [white, black]) await person.leave();
});

test("guesses stay on the device; address and title tell nothing of the board", async () => {
  const [white, black] = [await Person.of(browser, club.url), await Person.of(browser, club.url)];
  const game = await sitDown(white, black, "wild16");
  const { page } = white;
  await getsTurn(page);
  const [said, title] = [white.sent.length, await page.title()];
  assert.match(title, /^Your turn: guest\w+ against guest\w+$/);
  await page.getByRole("button", { name: /^Queen: / }).click();
  const d5 = await spot(page, "d5", "white");
  await page.mouse.click(d5.x, d5.y);
  await page.getByRole("textbox", { name: "Type guesses" }).fill("ne4");
  await page.getByRole("textbox", { name: "Type guesses" }).press("Enter");
  await page.getByRole("img", { name: /Your guesses: Queen d5; Knight e4\.$/ }).waitFor();
  // A guess can be moved by mouse. A guess of set A is not in set B.
  await clicks(page, "white", "e4", "e5");
  await page.getByRole("img", { name: /Your guesses: Queen d5; Knight e5\.$/ }).waitFor();
  await button(page, "Guess B").click();
  await page.getByRole("img", { name: /Your men: [^.]*\.$/ }).waitFor();
  await button(page, "Guess A").click();
  const e5 = await spot(page, "e5", "white");
  await page.mouse.click(e5.x, e5.y, { button: "right" });
  await page.getByRole("img", { name: /Your guesses: Queen d5\.$/ }).waitFor();
  assert.deepEqual(white.sent.slice(said).filter((one) => !one.includes('"ping"')), [], "nothing was sent");
  assert.deepEqual(await white.context.cookies().then((all) => all.map(({ name }) => name)), ["session"], "the session is the only cookie");
  assert.match(await page.evaluate((game) => localStorage.getItem(`guesses:${game}:white`), game), /"d5":"queen"/);

  // They are there after a reload, but not for another person.
  await page.reload();
  await page.getByRole("img", { name: /Your guesses: Queen d5\.$/ }).waitFor();
  const other = await Person.of(browser, club.url);
  await other.page.goto(page.url());
  await other.page.getByRole("img", { name: /^An empty board/ }).waitFor();
  assert.equal(await other.page.getByText("d5", { exact: true }).count(), 0);
  await insists(page, "e1e3");
  await region(page, "Why").waitFor();
  assert.equal(await page.title(), title, "the title does not change after the answer no");
  // A try whose target square has a guess is an ordinary try. The guess is not sent.
  await types(page, "d2d4");
  await log(page).getByText("You play d2d4").waitFor();
  assert.equal(white.sent.some((one) => /guess|queen|knight/.test(one.replace(/https?:\S+/g, ""))), false);
  await page.getByRole("img", { name: /Your guesses: Queen d5\.$/ }).waitFor();
  await lastCall(black.page).getByText("Your turn", { exact: true }).waitFor();
  await plays(black, white, "e7e5");
  await until("the title is the same in the next turn", async () => (await page.title()) === title);
  assert.equal(page.url(), `${club.url}/game/${game}`);
  assert.equal(await page.evaluate(() => history.state), null);
  for (const person of [white, black, other]) await person.leave();
});

test("sounds stay off after a reload, and the colours are remembered too", async () => {
  const [white, black] = [await Person.of(browser, club.url), await Person.of(browser, club.url)];
  await white.context.addInitScript(() => {
    window.audios = [];
    window.AudioContext = class extends AudioContext {
      constructor(...options) {
        super(...options);
        window.audios.push(this);
      }
    };
    const make = AudioContext.prototype.createOscillator;
    window.tones = 0;
    AudioContext.prototype.createOscillator = function () {
      window.tones += 1;
      return make.call(this);
    };
  });
  await sitDown(white, black, "wild16");
  const { page } = white;
  const tones = () => page.evaluate(() => window.tones);
  const sounds = page.getByRole("button", { name: "Sounds", includeHidden: true });
  assert.equal(await sounds.getAttribute("aria-pressed"), "true");
  await page.mouse.click(5, 300);
  await until("the browser plays sounds", () => page.evaluate(() => window.audios.some(({ state }) => state === "running")));
  await types(page, "e2e4");
  await until("a move sounds", async () => (await tones()) > 0);
  await menu(page, "Sounds");
  assert.equal(await sounds.getAttribute("aria-pressed"), "false");
  const until_now = await tones();
  await plays(black, white, "e7e5");
  await plays(white, black, "d2d4");
  assert.equal(await tones(), until_now, "no sound is played");
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), "light");
  await menu(page, "Settings");
  await page.getByRole("group", { name: "Colours" }).getByRole("radio", { name: "Dark" }).check({ force: true });
  assert.equal(await theme(), "dark");
  await page.goBack();
  await page.reload();
  await field(page).waitFor();
  assert.equal(await sounds.getAttribute("aria-pressed"), "false");
  assert.equal(await theme(), "dark");
  for (const person of [white, black]) await person.leave();
});

test("in a game without a clock, the page says at what time a player may claim the game from an absent opponent", async () => {
  const utc = { viewport: { width: 360, height: 740 }, timezoneId: "UTC" };
  const [white, black] = [await Person.of(browser, club.url, utc), await Person.of(browser, club.url)];
  const game = await sitDown(white, black, "wild16");
  await types(white.page, "e2e4");
  await log(white.page).getByText("You play e2e4").waitFor();
  assert.equal(await white.page.getByText(/You may claim/).count(), 0, "the opponent is here");
  // Black leaves without a move, so White may claim the game.
  await black.leave();
  const notice = white.page.getByText(/^Your opponent is away\. You may claim the game from \d+ \w+ \d{4}, \d\d:\d\d on \(in 24 hours\)\.$/);
  await notice.waitFor();
  const [, day, time] = /(\d+ \w+ \d{4}), (\d\d:\d\d)/.exec(await notice.innerText());
  const { claim_from } = await (await white.page.request.get(`${club.url}/api/games/${game}`)).json();
  const late = claim_from - Date.parse(`${day} ${time} UTC`);
  assert.ok(late > -2_000 && late < 62_000, `the club allows the claim ${late} ms after the time that the page says`);
  assert.equal(await button(white.page, "Claim the win").count(), 0);
  await white.leave();
});
