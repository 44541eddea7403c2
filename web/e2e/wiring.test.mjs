// What connects the page with the club: a wrong clock of the device, a hearing that gets lost, an answer that does not come.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Person, openBrowser, openClub, until } from "./club.mjs";
import { field, lastCall, log, plays, sitDown, types } from "./table.mjs";

let club;
let browser;
before(async () => {
  club = await openClub("--bots", "none");
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await club?.close();
});

const pair = async () => [await Person.of(browser, club.url), await Person.of(browser, club.url)];

/** Puts a proxy between a person's pages and the club. It asks `keeps` about each message in either direction. */
async function between(person, keeps) {
  await person.context.routeWebSocket("**/api/socket", (page) => {
    const server = page.connectToServer();
    const passes = (from, to, way) =>
      from.onMessage((text) => {
        if (keeps(way, JSON.parse(String(text)), page)) to.send(text);
      });
    passes(page, server, "asked");
    passes(server, page, "told");
  });
}

test("the clocks on the page are the club's, however wrong the clock of the device is", async () => {
  const [white, black] = await pair();
  for (const { context } of [white, black]) {
    await context.addInitScript(() => {
      const now = Date.now.bind(Date);
      globalThis.ahead = 7_200_000;
      Date.now = () => now() + globalThis.ahead;
    });
  }
  await sitDown(white, black, "wild16", { kind: "fischer", initial: 300, increment: 10 });
  await plays(white, black, "e2e4");
  await plays(black, white, "e7e5");
  const clock = async ({ page }) => {
    const [minutes, seconds] = (await page.getByRole("timer", { name: /White/ }).innerText()).split(":").map(Number);
    return 60 * minutes + seconds;
  };
  for (const ahead of [7_200_000, -7_200_000, 0]) {
    for (const { page } of [white, black]) await page.evaluate((by) => (globalThis.ahead = by), ahead);
    const before = await Promise.all([white, black].map(clock));
    await until("White's clock runs", async () => (await clock(white)) < before[0] && (await clock(black)) < before[1]);
    for (const person of [white, black]) {
      const left = await clock(person);
      assert.ok(left > 270 && left <= 300, `${left} s are left, with the device ${ahead} ms ahead`);
    }
  }
  for (const person of [white, black]) await person.leave();
});

test("a hearing that gets lost is asked for again, before anything later is shown", async () => {
  const [white, black] = await pair();
  const lost = [];
  await between(black, (way, message) => {
    const isLost = way === "told" && message.type === "heard" && lost.length === 0 && message.hearing.n > 3;
    if (isLost) lost.push(message);
    return !isLost;
  });
  await sitDown(white, black, "wild16");
  await plays(white, black, "e2e4");
  await plays(black, white, "e7e5");
  // Black does not get the hearing of White's next move.
  await types(white.page, "g1f3");
  await log(white.page).getByText("You play g1f3").first().waitFor();
  await until("a hearing is lost", () => lost.length === 1);
  await lastCall(black.page).getByText("Your turn", { exact: true }).waitFor();
  await types(black.page, "b8c6");
  await log(black.page).getByText("You play b8c6").first().waitFor();
  const heard = await log(black.page).innerText();
  assert.equal(heard.match(/White has moved/g)?.length, 2, heard);
  for (const person of [white, black]) await person.leave();
});

test("an attempt whose answer gets lost is played once", async () => {
  const [white, black] = await pair();
  const sent = [];
  await between(white, (way, message, page) => {
    if (way === "asked" && message.text === "e2e4") {
      sent.push(message.id);
      return true;
    }
    // The connection breaks before the answer comes.
    if (way === "told" && sent.length === 1 && ["heard", "answer"].includes(message.type)) {
      page.close({ code: 1011 });
      return false;
    }
    return true;
  });
  await sitDown(white, black, "wild16");
  await types(white.page, "e2e4");
  await log(white.page).getByText("You play e2e4").first().waitFor();
  await lastCall(black.page).getByText("Your turn", { exact: true }).waitFor();
  assert.ok(sent.length >= 1 && new Set(sent).size === 1, `one id: ${sent}`);
  assert.equal(await field(white.page).inputValue(), "");
  await plays(black, white, "e7e5");
  const heard = await log(white.page).innerText();
  assert.equal(heard.match(/You play e2e4/g)?.length, 1, heard);
  for (const person of [white, black]) await person.leave();
});
