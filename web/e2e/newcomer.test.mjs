// A newcomer begins a game with one click, makes a first move, and gets a "no" with its reason.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESK, PHONE, Person, openBrowser, openClub } from "./club.mjs";
import { button, field, getsTurn, insists, lastCall, log, menu, region, reviews, sticksOut, types, unfolds } from "./table.mjs";
import { slowWay } from "./way.mjs";

let club;
let browser;
before(async () => {
  club = await openClub("--think", "50");
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await club?.close();
});

for (const [name, options] of [
  ["at a desk", DESK],
  ["on a phone, in dark colours", { ...PHONE, colorScheme: "dark" }],
]) {
  test(`a newcomer plays a first move, hears a no and sees why, ${name}`, async () => {
    const person = await Person.of(browser, club.url, options);
    const { page } = person;
    await button(page, "Play now").click();
    await lastCall(page).getByText("Your turn").waitFor();

    await types(page, "e2e4");
    await log(page).getByText("You play e2e4").waitFor();
    await log(page).getByText("Black has moved").waitFor();
    await lastCall(page).getByText("Your turn").waitFor();

    // The king cannot move two squares forward, so the answer to this try can only be "no". The
    // page sends such a try only if the player insists.
    await insists(page, "e1e3");
    await lastCall(page).getByText(/^No/).waitFor();
    await region(page, "Why").waitFor();
    assert.match(await region(page, "Why").innerText(), /\S+ \S+ \S+/);
    // The hint for new users ends with a button. A reason that is too long for its box would hide the button.
    await region(page, "Why").getByRole("button", { name: "OK" }).waitFor();
    const hidden = await page.getByRole("group", { name: "Reason" }).evaluate((box) => box.scrollHeight - box.clientHeight);
    assert.ok(hidden <= 0, `${hidden} pixels of the reason are hidden`);
    await region(page, "Impossible moves").getByText("e1 to e3").waitFor();
    assert.match(await page.getByRole("img", { name: /^Your men/ }).getAttribute("aria-label"), /King e1.*Pawns .*e4/);
    assert.equal(await sticksOut(page), 0);
    await person.leave();
  });
}

test("Play now shows the name of its program before and after the press, and a guest finds how to make an account", async () => {
  const person = await Person.of(browser, club.url, PHONE);
  const { page } = person;
  await page.getByText("against Level 1 (beginner), which you can beat").waitFor();
  // A level has the same name on every screen.
  await region(page, "New game").scrollIntoViewIfNeeded();
  await button(page, /^Play Level 6 strongest \d+ with your settings$/).waitFor();
  await button(page, "Play now").tap();
  await page.getByRole("heading", { level: 1, name: /^guest\w+ against Level 1 \(beginner\)$/ }).waitFor();
  await page.getByRole("link", { name: "Level 1 (beginner)" }).waitFor();
  assert.match(await page.title(), /Level 1 \(beginner\)/);
  // A visitor who watches the game sees the same name.
  const visitor = await Person.of(browser, club.url, PHONE);
  await visitor.page.goto(page.url());
  await visitor.page.getByRole("link", { name: "Level 1 (beginner)" }).waitFor();
  await visitor.leave();

  await page.getByRole("link", { name: "Lobby", exact: true }).tap();
  await region(page, "Your games").getByText("against Level 1 (beginner)").waitFor();
  await menu(page, "Create account");
  await page.getByRole("dialog", { name: "Create account" }).getByRole("button", { name: "Cancel" }).tap();
  await menu(page, "Your data");
  const own = page.getByRole("dialog", { name: "Account" });
  await own.getByText(/^You play as guest/).waitFor();
  await own.getByRole("button", { name: "Create account" }).tap();
  await page.getByRole("dialog", { name: "Create account" }).waitFor();
  await person.leave();
});

test("the levels are buttons of one size, in rows that fit, at every width", async () => {
  for (const [width, rows] of [[1280, 1], [840, 1], [500, 1], [390, 2]]) {
    const person = await Person.of(browser, club.url, { viewport: { width, height: 800 } });
    const levels = person.page.getByRole("button", { name: /^Play Level \d/ });
    await region(person.page, "New game").scrollIntoViewIfNeeded();
    await levels.nth(5).waitFor();
    const boxes = await levels.evaluateAll((all) => all.map((one) => [one.getBoundingClientRect(), one.scrollWidth - one.clientWidth]));
    const differing = (value) => new Set(boxes.map(([box]) => Math.round(value(box)))).size;
    assert.deepEqual([boxes.length, differing((one) => one.width), differing((one) => one.height), differing((one) => one.top)], [6, 1, 1, rows], `${width} pixels`);
    assert.ok(boxes.every(([, hidden]) => hidden <= 0), `${width} pixels: a name is cut off`);
    assert.equal(await sticksOut(person.page), 0);
    await person.leave();
  }
});

test("after the first game the lobby has no introduction, and plays like the last time", async () => {
  const person = await Person.of(browser, club.url);
  const { page } = person;
  await page.getByRole("img", { name: /^A game that plays itself/ }).waitFor();
  await page.getByRole("radio", { name: /^English/ }).check({ force: true });
  await unfolds(page);
  await page.getByRole("radio", { name: "5 + 5" }).check({ force: true });
  await button(page, /^Play Level 2 easy/).click();
  await page.getByRole("heading", { level: 1, name: /Level 2 \(easy\)/ }).waitFor();
  await page.goto(club.url);
  await page.getByText("Level 2 (easy) · English rules of The Gambit, 1933 · 5 min + 5 s per move").waitFor();
  assert.equal(await page.getByRole("heading", { name: "Chess in the dark" }).count(), 0);
  await button(page, "Play again").click();
  await page.getByRole("heading", { level: 1, name: /Level 2 \(easy\)/ }).waitFor();
  await person.leave();
});

test("a try that the club cannot confirm is repeated with the same id", async () => {
  const person = await Person.of(browser, club.url);
  const { page } = person;
  const ids = [];
  await page.routeWebSocket(/\/api\/socket$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      const { type, id } = JSON.parse(text);
      if (type === "try") ids.push(id);
      // The answer to the first try is lost, as if the database had recorded the try but not answered.
      if (type !== "try" || ids.length > 1) server.send(text);
      else socket.send(JSON.stringify({ type: "refused", id, code: "unavailable", why: "the club's database does not answer: send your request again in a moment" }));
    });
  });
  await page.reload();
  await button(page, "Play now").click();
  await lastCall(page).getByText("Your turn").waitFor();
  await types(page, "e2e4");
  await region(page, "Why").getByRole("heading", { name: "Not confirmed" }).waitFor();
  await types(page, "e2e4");
  await log(page).getByText("You play e2e4").waitFor();
  assert.equal(ids.length, 2);
  assert.equal(ids[0], ids[1]);
  await person.leave();
});

test("one press on Play now is enough, without errors, if sockets open slowly", async () => {
  let sockets = 0;
  const way = await slowWay(club.url, (bytes) => {
    const socket = bytes.includes("GET /api/socket");
    sockets += Number(socket);
    return socket ? 400 : 0;
  });
  const person = await Person.of(browser, way.url);
  const { page } = person;
  await button(page, "Play now").click();
  await lastCall(page).getByText("Your turn").waitFor();
  await types(page, "e2e4");
  await log(page).getByText("Black has moved").waitFor();
  assert.ok(sockets >= 2, `the visitor and the guest need two sockets, not ${sockets}`);
  await person.leave();
  way.close();
});

test("a player resigns, and goes through the three boards of the review", async () => {
  const person = await Person.of(browser, club.url);
  const { page } = person;
  await button(page, "Play now").click();
  await getsTurn(page);
  await types(page, "e1e3");
  await button(page, "Ask the referee anyway").click();
  await region(page, "Why").waitFor();
  await types(page, "d2d4");
  await log(page).getByText("Black has moved").waitFor();
  // A typed word does what its button does, and asks for the same confirmation.
  await types(page, "/resign");
  const asked = page.getByRole("dialog", { name: "Resign" });
  await asked.getByRole("button", { name: "Cancel" }).click();
  await types(page, "resigns");
  await asked.getByRole("button", { name: "Resign" }).click();
  await page.getByText("1 move · 2 tries, 1 refused").waitFor();
  await reviews(page);
  const boards = region(page, "Review of the game");
  await boards.getByRole("img", { name: /^The referee's board: / }).waitFor();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await boards.getByText("White: e1e3").waitFor();
  assert.equal(await boards.getByText("Nothing.").count(), 2, "neither the room nor Black heard anything");
  await person.leave();
});

test("a guest is warned before a sign-in that loses the seat", async () => {
  const person = await Person.of(browser, club.url);
  const { page } = person;
  await button(page, "Play now").click();
  await field(page).waitFor();
  await menu(page, "Create account");
  const making = page.getByRole("dialog", { name: "Create account" });
  await making.getByText(/The games of guest.* will belong to your account/).waitFor();
  await making.getByRole("button", { name: "Cancel" }).click();
  await menu(page, "Sign in");
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByRole("alert").getByText(/Your seat stays with guest/).waitFor();
  await dialog.getByRole("button", { name: "Sign in anyway" }).waitFor();
  await dialog.getByRole("button", { name: "Finish first" }).click();
  await types(page, "e2e4");
  await log(page).getByText("You play e2e4").waitFor();
  await person.leave();
});
