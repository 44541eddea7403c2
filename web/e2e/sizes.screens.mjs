// Tests every screen size, in light and dark colours: what must be visible together, what must not
// move, and that axe-core finds nothing.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible } from "./axe.mjs";
import { Person, openBrowser, openClub, until } from "./club.mjs";
import { slowWay } from "./way.mjs";
import { board, button, field, lastCall, log, plays, region, reviews, sitDown, sticksOut, types } from "./table.mjs";

/**
 * The sizes in CSS pixels, and the minimum length of a side of the board in a game. A window of
 * 1440 by 900 pixels at a zoom of 200 % has 720 by 450 CSS pixels.
 */
const SIZES = [
  { name: "360x740", width: 360, height: 740, board: 350 },
  { name: "740x360", width: 740, height: 360, board: 280 },
  { name: "768x1024", width: 768, height: 1024, board: 650 },
  { name: "1440x900", width: 1440, height: 900, board: 600 },
  { name: "1920x1080", width: 1920, height: 1080, board: 800 },
  { name: "200%", width: 720, height: 450, board: 360 },
];

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

/** Sets the size of a page in CSS pixels. A zoom of 200 % halves the width and the height. */
async function resize({ page }, { width, height }) {
  await page.setViewportSize({ width, height });
  await until(`the page is ${width} wide`, () => page.evaluate((width) => innerWidth === width, width));
  await drawn(page);
}

const drawn = (page) => page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));

async function boxes(page, ...all) {
  await page.evaluate(() => scrollTo(0, 0));
  await drawn(page);
  return Promise.all(all.map((one) => one.boundingBox()));
}

/** Fails unless an element is on the screen without scrolling. */
function visible(box, { name, width, height }, what) {
  assert.ok(box !== null, `${name}: ${what} is drawn`);
  const inside = box.x >= -1 && box.y >= -1 && box.x + box.width <= width + 1 && box.y + box.height <= height + 1;
  assert.ok(inside, `${name}: ${what} is on the screen: ${JSON.stringify(box)}`);
}

/** Fails if a part of the last call is cut off. */
async function readable(page, { name }, what) {
  const { hidden, text } = await lastCall(page).evaluate((call) => ({ hidden: call.scrollHeight - call.clientHeight, text: call.innerText }));
  assert.ok(hidden <= 1, `${name}: ${hidden} pixels of ${what} are cut off: ${text}`);
}

async function look(page, size, screen) {
  assert.equal(await sticksOut(page), 0, `${size.name}: ${screen} is wider than the screen`);
  // Colours do not depend on the size. So two sizes are checked in both colour themes, and every
  // other size in one theme.
  const both = ["360x740", "1440x900"].includes(size.name);
  for (const colorScheme of both ? ["light", "dark"] : [SIZES.indexOf(size) % 2 === 0 ? "light" : "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await until(`the page is ${colorScheme}`, () => page.evaluate((theme) => document.documentElement.dataset.theme === theme, colorScheme));
    await assertAccessible(page, `${screen}, ${size.name}, ${colorScheme}`);
  }
}

test("a game fits every screen, and nothing moves when a reason or a question appears", async () => {
  const [white, black, room] = [await Person.of(browser, club.url), await Person.of(browser, club.url), await Person.of(browser, club.url)];
  const { page } = white;
  const game = await sitDown(white, black, "wild16", { kind: "fischer", initial: 900, increment: 10 });
  await room.page.goto(`${club.url}/game/${game}`);
  await region(room.page, "What a spectator hears").waitFor();
  await plays(white, black, "e2e4");
  await plays(black, white, "d7d5");
  const tray = page.getByRole("group", { name: "Men to place" });
  // "Your turn" is shown above the last call, so "White to move." is only read aloud. A call that
  // says nothing new is drawn small.
  const classOf = (text) => lastCall(page).getByText(text, { exact: true }).first().evaluate((said) => said.className);
  await lastCall(page).getByText("Black has moved. You have 1 pawn try. White to move.").waitFor();
  assert.deepEqual([await classOf("White to move."), await classOf("Your opponent has no pawn tries.")], ["sr", "nothing"]);
  await lastCall(room.page).getByText("Black has moved. White has 1 pawn try. White to move.").waitFor();

  for (const size of SIZES) {
    await resize(white, size);
    const [drawn, call, men] = await boxes(page, board(page), lastCall(page), tray);
    for (const [box, what] of [[drawn, "the board"], [call, "the last call"], [men, "the tray of guesses"]]) visible(box, size, what);
    assert.ok(drawn.width >= size.board, `${size.name}: the board is ${drawn.width} wide`);
    await readable(page, size, "the last call");
    // On a small screen the earlier calls use the rest of the box.
    const small = await page.evaluate(() => matchMedia("(max-width: 900px), (max-height: 560px)").matches);
    await until("the earlier calls are shown", async () => (await page.locator(".earlier p").count()) === (small ? 2 : 0));
    await look(page, size, "game");

    await resize(room, size);
    const [seen, heard] = await boxes(room.page, room.page.locator(".table cg-board"), lastCall(room.page));
    visible(seen, size, "the spectator's board");
    visible(heard, size, "the spectator's last call");
    await readable(room.page, size, "the spectator's last call");
    assert.ok(seen.width >= size.board * 0.9, `${size.name}: the spectator's board is ${seen.width} wide`);
    await look(room.page, size, "room");
  }

  // The board and the text field stay in their places when a "no", its reason or an impossible move
  // is shown.
  const places = [board(page), tray, field(page)];
  for (const size of [SIZES[0], SIZES[3]]) {
    await resize(white, size);
    await button(page, "Play the pawn try").waitFor();
    const before = await boxes(page, ...places);
    await types(page, "e1e3");
    await region(page, "Impossible move").waitFor();
    const hidden = await region(page, "Impossible move").evaluate(({ parentElement: box }) => box.scrollHeight - box.clientHeight);
    assert.ok(hidden <= 1, `${size.name}: ${hidden} pixels of the text about an impossible move are cut off`);
    assert.deepEqual(await boxes(page, ...places), before, `${size.name}: nothing moves when an impossible move is shown`);
    await field(page).press("Enter");
    await region(page, "Why").waitFor();
    await drawn(page);
    assert.deepEqual(await boxes(page, ...places), before, `${size.name}: nothing moves when a reason is shown`);
  }
  const before = await boxes(page, ...places);
  await button(page, "Play the pawn try").click();
  await log(page).getByText("You play e4d5").waitFor();
  await button(page, "Play the pawn try").waitFor({ state: "detached" });
  assert.deepEqual(await boxes(page, ...places), before, "nothing moves when the button of the question is gone");

  await button(page, "Resign").click();
  await page.getByRole("dialog", { name: "Resign" }).getByRole("button", { name: "Resign" }).click();
  await page.getByRole("img", { name: /^The end\. White: King e1; .* Black: King e8/ }).waitFor();
  for (const size of SIZES) {
    await resize(white, size);
    const [drawn, review] = await boxes(page, page.locator(".table cg-board"), button(page, "Review"));
    visible(drawn, size, "the board at the end");
    visible(review, size, "the button for the review");
    await look(page, size, "end");
  }
  await reviews(page);
  await region(page, "Review of the game").getByRole("img", { name: /^The referee's board/ }).waitFor();
  for (const size of SIZES) {
    await resize(white, size);
    const [drawn, on] = await boxes(page, page.locator(".umpire cg-board"), button(page, "One step forward"));
    visible(drawn, size, "the referee's board");
    visible(on, size, "the bar of steps");
    await look(page, size, "review");
  }
  for (const person of [white, black, room]) await person.leave();
});

/** The longest calls of the rulesets. All these calls can be heard after one move. */
const LONG = [
  { kind: "lost", square: "a6", man: "bishop" },
  { kind: "capture", square: "a6", man: "piece", en_passant: false },
  { kind: "promotion", by: "black" },
  { kind: "check", directions: ["short", "knight"] },
  { kind: "tries", squares: ["a2", "b2", "c4", "d4", "e5"] },
  { kind: "turn", to_move: "white" },
];

test("no call is cut off on any screen, and a loss is said once", async () => {
  const [white, black] = [await Person.of(browser, club.url), await Person.of(browser, club.url)];
  const { page } = white;
  // The test replaces the calls of Black's second move by the longest calls.
  let long = LONG;
  await page.routeWebSocket(/\/api\/socket/, (socket) => {
    const club = socket.connectToServer();
    club.onMessage((text) => {
      const message = JSON.parse(text);
      if (message.type === "heard" && message.hearing.heard.some((one) => one.kind === "lost"))
        Object.assign(message.hearing, { heard: long, words: [] });
      socket.send(JSON.stringify(message));
    });
  });
  await sitDown(white, black, "wild16");
  await plays(white, black, "e2e4");
  await plays(black, white, "e7e6");
  await plays(white, black, "f1a6");
  await plays(black, white, "b7a6");
  const shown = "Your bishop on a6 is gone. Black promotes. Double check: on the short diagonal and by a knight. Your pawn tries: a2, b2, c4, d4, e5.";
  await lastCall(page).getByText(`${shown} White to move.`, { exact: true }).waitFor();
  await lastCall(black.page).getByText("You play b7a6. Piece gone on a6. Your opponent has no pawn tries. White to move.", { exact: true }).waitFor();
  // The page hears the whole game again, with other calls for this move.
  for (const calls of [LONG, [LONG[0], LONG[1], { kind: "tries", count: 0 }, LONG.at(-1)]]) {
    long = calls;
    await page.reload();
    await lastCall(page).getByText(/^Your bishop on a6 is gone\. (Black|You)/).waitFor();
    for (const size of SIZES) {
      await resize(white, size);
      await readable(page, size, "the last call");
    }
  }
  for (const person of [white, black]) await person.leave();
});

/** Low screens: phones in landscape format, and small phones. */
const LOW = [SIZES[1], { name: "360x620", width: 360, height: 620 }, { name: "360x740", width: 360, height: 740 }];

test("on a low screen the reason of a no is visible without scrolling", async () => {
  const [white, black] = [await Person.of(browser, club.url), await Person.of(browser, club.url)];
  const { page } = white;
  await sitDown(white, black, "wild16");
  await plays(white, black, "e2e4");
  await plays(black, white, "e7e5");
  await types(page, "e4e5");
  await region(page, "Why").waitFor();
  const reason = page.locator(".box, .call").getByText("n unseen man is in the way, or your king would be in check");
  for (const size of LOW) {
    await resize(white, size);
    await page.evaluate(() => scrollTo(0, 0));
    await drawn(page);
    // The reason is in the box beside the board, or in the line within the last call.
    const whole = await reason.evaluateAll((all) =>
      all.filter((one) => {
        const text = document.createRange();
        text.selectNodeContents(one);
        const box = text.getBoundingClientRect();
        const clip = (one.closest(".box") ?? one.closest(".call")).getBoundingClientRect();
        return box.height > 0 && box.top >= clip.top && box.bottom <= clip.bottom + 1 && box.bottom <= innerHeight;
      }).length,
    );
    assert.ok(whole >= 1, `${size.name}: the reason is not visible`);
    await readable(page, size, "the last call");
    await look(page, size, "no");
  }
  // After an impossible move, the last call says what happens if the user makes the same move again.
  await resize(white, LOW[1]);
  await types(page, "e1e3");
  const told = region(page, "Impossible move").getByText("e1 to e3 is impossible");
  await told.waitFor();
  const [box] = await boxes(page, told);
  visible(box, LOW[1], "the impossible move");
  for (const person of [white, black]) await person.leave();
});

test("the button after an impossible move is visible on every screen, also when the text scrolls", async () => {
  const [white, black] = [await Person.of(browser, club.url), await Person.of(browser, club.url)];
  const { page } = white;
  // Under rand everybody hears of a refused try, so the text is longer.
  for (const rules of ["wild16", "rand"]) {
    await sitDown(white, black, rules);
    await types(page, "e1e3");
    const insist = region(page, "Impossible move").getByRole("button", { name: "Ask the referee anyway" });
    await insist.waitFor();
    for (const size of [...SIZES, { name: "667x375", width: 667, height: 375 }, { name: "390x844", width: 390, height: 844 }, { name: "1366x768", width: 1366, height: 768 }]) {
      await resize(white, size);
      for (const end of [false, true]) {
        const cut = await insist.evaluate((one, end) => {
          const box = one.closest(".box");
          box.scrollTop = end ? box.scrollHeight : 0;
          const [inner, outer] = [one, box].map((each) => each.getBoundingClientRect());
          return Math.max(outer.top - inner.top, inner.bottom - outer.bottom, outer.left - inner.left, inner.right - outer.right);
        }, end);
        assert.ok(cut <= 0, `${rules}, ${size.name}: ${cut} pixels of the button are cut off${end ? " after scrolling" : ""}`);
      }
      const hidden = await insist.evaluate((one) => one.closest(".box").scrollHeight - one.closest(".box").clientHeight);
      // On a phone in landscape format, the box is too low for the whole text.
      if (size.height > 400) assert.ok(hidden <= 1, `${rules}, ${size.name}: ${hidden} pixels of the text are cut off`);
    }
  }
  for (const person of [white, black]) await person.leave();
});

test("the longest reason of a no fits its box, with its button", async () => {
  const [white, black] = [await Person.of(browser, club.url), await Person.of(browser, club.url)];
  const { page } = white;
  await sitDown(white, black, "rand", { kind: "fischer", initial: 900, increment: 10 });
  // Black's bishop on a6 attacks f1, so White cannot castle.
  const moves = ["e2e4", "b7b6", "g2g3", "c8a6", "f1g2", "h7h6", "g1f3", "h6h5"];
  for (const [at, move] of moves.entries()) await (at % 2 === 0 ? plays(white, black, move) : plays(black, white, move));
  await types(page, "e1g1");
  const why = region(page, "Why");
  await why.getByText("your king would castle out of, through or into check").waitFor();
  for (const size of [...SIZES, { name: "1366x768", width: 1366, height: 768 }, { name: "390x844", width: 390, height: 844 }]) {
    await resize(white, size);
    const below = await why.evaluate((reason) => {
      const { bottom } = reason.parentElement.getBoundingClientRect();
      return { button: reason.querySelector("button").getBoundingClientRect().bottom - bottom, text: reason.getBoundingClientRect().bottom - bottom };
    });
    assert.ok(below.button <= 0, `${size.name}: the box cuts ${below.button} pixels off the button`);
    // On a phone in landscape format, the box is too low for the longest reason. But the last
    // call shows this reason.
    if (size.height > 400) assert.ok(below.text <= 1, `${size.name}: the box cuts ${below.text} pixels off the reason`);
  }
  for (const person of [white, black]) await person.leave();
});

test("the lobby and the rules fit every screen", async () => {
  const [white, black] = [await Person.of(browser, club.url), await Person.of(browser, club.url)];
  const { page } = white;
  await sitDown(white, black, "wild16", { kind: "fischer", initial: 900, increment: 10 });
  // The club aborts a game in which nobody moves. So both players make a move.
  await plays(white, black, "e2e4");
  await plays(black, white, "e7e5");
  await page.goto(club.url);
  const mine = region(page, "Your games");
  await mine.getByText("Your turn", { exact: true }).waitFor();
  await mine.getByText(/your clock 1\d:\d\d/).waitFor();
  for (const size of SIZES) {
    await resize(white, size);
    const [games] = await boxes(page, mine);
    assert.ok(games.y < 120, `${size.name}: the user's own games come first: ${games.y}`);
    await look(page, size, "lobby");
  }
  await page.goto(`${club.url}/rules`);
  const table = page.getByRole("table").first();
  await table.waitFor();
  for (const size of SIZES) {
    await resize(white, size);
    await look(page, size, "rules");
  }
  // What texts for people must not contain: marks of a text format, numbers of sections, and names
  // that only programs use.
  const CODES = /`|\*\*|_\w+_|\bpx\b|§|\b\d+\.\d|\bsection \d|\b[a-z]+_[a-z]+\b|undefined/;
  assert.doesNotMatch(await table.innerText(), CODES);
  const links = table.getByRole("link");
  assert.equal(await links.count(), 16);
  for (let at = 0; at < 16; at += 1) {
    const title = await links.nth(at).innerText();
    await links.nth(at).click();
    await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
    const text = await page.getByRole("article").innerText();
    // Below the heading "Sources", numbers of sections and of pages are allowed.
    assert.doesNotMatch(text.split(/\nSources\n/i)[0], CODES, title);
    await page.goBack();
    await table.waitFor();
  }
  for (const person of [white, black]) await person.leave();
});

test("nothing in the lobby moves when a text arrives late", async () => {
  // The socket opens late, so the page is drawn before it knows the user and the lobby.
  const way = await slowWay(club.url, (bytes) => (bytes.includes("GET /api/socket") ? 300 : 0));
  const [white, black] = [await Person.of(browser, club.url), await Person.of(browser, club.url)];
  await sitDown(white, black, "wild16");
  await plays(white, black, "e2e4");
  for (const { name, width, height } of [SIZES[0], SIZES[3]]) {
    const person = await Person.of(browser, way.url, { viewport: { width, height } });
    const { page } = person;
    const moved = async (who) => {
      await page.addInitScript(() => {
        window.moved = 0;
        new PerformanceObserver((all) => all.getEntries().forEach((one) => (window.moved += one.value))).observe({ type: "layout-shift", buffered: true });
      });
      await page.goto(way.url);
      await region(page, "New game").waitFor();
      await until("nothing is loaded any more", () => page.evaluate(() => document.fonts.status === "loaded" && document.querySelector(".demo .placeholder") === null));
      await drawn(page);
      const sum = await page.evaluate(() => window.moved);
      assert.ok(sum < 0.02, `${name}, ${who}: the layout moved by ${sum}`);
    };
    await moved("a visitor");
    await button(page, "Play now").click();
    await field(page).waitFor();
    await page.getByRole("link", { name: "Lobby", exact: true }).click();
    await region(page, "Your games").waitFor();
    await drawn(page);
    await moved("a guest with a game");
    await person.leave();
  }
  way.close();
  for (const person of [white, black]) await person.leave();
});

test("the page can be installed, and a link to the page has a title and a picture", async () => {
  const read = async (path) => {
    const answer = await fetch(club.url + path);
    assert.equal(answer.status, 200, path);
    return answer;
  };
  const manifest = await (await read("/manifest.webmanifest")).json();
  assert.deepEqual([manifest.display, manifest.start_url], ["standalone", "/"]);
  for (const { src } of [...manifest.icons, { src: "/og.png" }, { src: "/icon-180.png" }])
    assert.match((await read(src)).headers.get("content-type"), /^image\//, src);
  const titleOf = async (path) => /property="og:title" content="([^"]*)"/.exec(await (await read(path)).text())[1];
  assert.equal(await titleOf("/"), "Kriegspiel Umpire");
  assert.equal(await titleOf("/rules/wild16"), "Wild 16, Internet Chess Club: Kriegspiel Umpire");

  // The title of a link to a game names the players only after the end of the game.
  const [white, black] = [await Person.of(browser, club.url), await Person.of(browser, club.url)];
  const game = await sitDown(white, black, "wild16");
  assert.equal(await titleOf(`/game/${game}`), await titleOf("/game/zzzzzzzzzzzz"));
  await types(white.page, "resign");
  await white.page.getByRole("dialog", { name: "Resign" }).getByRole("button", { name: "Resign" }).click();
  await button(white.page, "Review").waitFor();
  assert.match(await titleOf(`/game/${game}`), /^guest\w+ against guest\w+: Kriegspiel Umpire$/);
  for (const person of [white, black]) await person.leave();
});
