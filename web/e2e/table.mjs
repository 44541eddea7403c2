// A table as a person finds it on the page: by roles and accessible names.

import { until } from "./club.mjs";

export const region = (page, name) => page.getByRole("region", { name, exact: true });
/** A button by its name. The name of the first tile of the lobby also says what it does. */
export const button = (page, name) =>
  /^Play (now|again)$/.test(name) ? page.getByRole("button", { name: new RegExp(`^${name}`) }) : page.getByRole("button", { name, exact: true });
export const field = (page) => page.getByRole("textbox", { name: "Type a try" });
export const lastCall = (page) => region(page, "Last call");
export const log = (page) => region(page, "Heard so far");
/** Presses a button of the user's menu, in the head of every page. */
export async function menu(page, name) {
  await page.getByRole("button", { name: /(^M|: m)enu$/ }).click();
  await page.locator("#menu").getByRole("button", { name, exact: true }).or(page.locator("#menu").getByRole("link", { name, exact: true })).click();
}
/** Presses a button for the game (draw offers, adjourning, resigning). On a small screen the button is in a menu. */
export async function chooses(page, name) {
  const menu = page.getByRole("button", { name: /^(More|Answer)$/ });
  const acts = page.getByRole("group", { name: "Game", exact: true });
  await menu.or(acts).first().waitFor();
  if ((await acts.count()) === 0) await menu.press("Enter");
  await acts.getByRole("button", { name, exact: true }).press("Enter");
}
/** Opens the terms in the form for a new game: time, colour, all rulesets. */
export const unfolds = (page) => page.locator("details.terms > summary").click();
/** Opens the review of a game that has ended on the screen. */
export async function reviews(page) {
  await button(page, "Review").click();
  await region(page, "Review of the game").waitFor();
}
export const board = (page) => page.locator(".board.live cg-board");

/** Waits until a page shows a game, and returns the id of the game. */
export const gameOf = (page) => until("a game is shown", () => /\/game\/([^/]+)$/.exec(page.url())?.[1]);

export async function types(page, text) {
  await field(page).fill(text);
  await field(page).press("Enter");
}

/** Waits until the page shows the player's men and the player's turn. Until then, the page sends every try at once. */
export async function getsTurn(page) {
  await page.getByRole("img", { name: /^Your men: / }).waitFor();
  await lastCall(page).getByText("Your turn", { exact: true }).waitFor();
}

/** Makes a try that the page sends only if the player insists. */
export async function insists(page, text) {
  await types(page, text);
  // If the player hears something between the two presses of Enter, the page forgets the first press. Then Enter must be
  // pressed once more. The field is empty after the try was sent. The page ignores Enter in an empty field, so the try is
  // sent only once.
  await until("the try is sent", async () => {
    if ((await field(page).inputValue()) === "") return true;
    await field(page).press("Enter");
    return false;
  });
}

/** The middle of a square on the screen. The board is seen from `side`. */
export async function spot(page, square, side) {
  await board(page).scrollIntoViewIfNeeded();
  // Wait for the next frame, because the board then reads its place on the screen.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  const { x, y, width, height } = await board(page).boundingBox();
  const file = square.charCodeAt(0) - 97;
  const rank = Number(square[1]) - 1;
  const across = side === "white" ? file : 7 - file;
  const down = side === "white" ? 7 - rank : rank;
  return { x: x + ((across + 0.5) * width) / 8, y: y + ((down + 0.5) * height) / 8 };
}

/** Makes a try by drag. */
export async function drags(page, side, from, to) {
  const start = await spot(page, from, side);
  const end = await spot(page, to, side);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 3 });
  await page.mouse.move(end.x, end.y, { steps: 3 });
  await page.mouse.up();
}

/** Makes a try by two clicks. */
export async function clicks(page, side, from, to) {
  for (const square of [from, to]) {
    const { x, y } = await spot(page, square, side);
    await page.mouse.click(x, y);
  }
}

/** Makes a try by two taps. */
export async function taps(page, side, from, to) {
  for (const square of [from, to]) {
    const { x, y } = await spot(page, square, side);
    await page.touchscreen.tap(x, y);
  }
}

/** The number of pixels by which the page is wider than the screen. It must be 0. */
export const sticksOut = (page) =>
  page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - innerWidth);

/** Starts a game of two guests with the API, as their pages would, and opens it in both pages; a rated game if they get names. */
export async function sitDown(white, black, rules, time = { kind: "unlimited" }, custom = null, names = null) {
  const post = ({ page }, path, body) =>
    page.evaluate(
      async ([path, body]) => {
        const answer = await fetch(`/api${path}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        if (!answer.ok) throw new Error(await answer.text());
        return answer.json();
      },
      [path, body],
    );
  for (const [at, person] of [white, black].entries()) await (names === null ? post(person, "/guests", {}) : post(person, "/accounts", { name: names[at], password: "one-day-64" }));
  const { code } = await post(white, "/invitations", { rules, custom, time, rated: names !== null, color: "white" });
  const { game } = await post(black, `/invitations/${code}/accept`, {});
  for (const { page, url } of [white, black]) {
    await page.goto(`${url}/game/${game}`);
    await field(page).waitFor();
  }
  return game;
}

/** Types a legal move in the player's turn, and waits until both pages show that it was played. */
export async function plays(mover, other, text) {
  await lastCall(mover.page).getByText("Your turn", { exact: true }).waitFor();
  await types(mover.page, text);
  await log(mover.page).getByText(`You play ${text}`).first().waitFor();
  await lastCall(other.page).getByText("Your turn", { exact: true }).waitFor();
}
