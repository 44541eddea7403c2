// The visual check: photographs the screens in every size, colour theme and language, and compares small copies with those
// in `looks/`, one file for each screen and language. KRIEGSPIEL_LOOKS=accept stores what the page looks like now,
// KRIEGSPIEL_SCREENS names a folder for the photographs.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createServer } from "vite";
import { Person, openBrowser, openClub, until } from "./club.mjs";

const SIZES = [[360, 740], [390, 844], [740, 360], [768, 1024], [1440, 900], [1920, 1080]];
const LOOKS = SIZES.flatMap((size) => ["no-preference", "more"].flatMap((contrast) => ["light", "dark"].map((colorScheme) => ({ size, colorScheme, contrast }))));
const nameOf = ({ size: [width, height], colorScheme, contrast }) => `${width}x${height}-${colorScheme}${contrast === "more" ? "-contrast" : ""}`;
/** A small copy has a pixel for so many pixels of the screen. */
const SHRINK = 12;
/** A channel of a pixel may differ by this much, and this share of the pixels by more. */
const NOISE = 26;
const TOLERANCE = 0.004;
/** What a busy machine may take for one photograph, or for the page of `npx vite`, in ms. */
const SLOW = 120_000;

const FOLDER = new URL("looks/", import.meta.url).pathname;
const accept = process.env.KRIEGSPIEL_LOOKS === "accept";
const photographs = process.env.KRIEGSPIEL_SCREENS || undefined;

let club;
let browser;
/** A page that shrinks and compares pictures. */
let desk;
before(async () => {
  club = await openClub("--think", "0");
  browser = await openBrowser();
  desk = await (await browser.newContext()).newPage();
});
after(async () => {
  await browser?.close();
  await club?.close();
});

/** Runs in the browser: draws small copies below each other, compares them with the stored picture. */
async function compare([pictures, stored, shrink, noise]) {
  const bitmap = async (url) => createImageBitmap(await (await fetch(url)).blob());
  const rows = [];
  let height = 0;
  for (const { url, width, tall } of pictures) {
    const image = await bitmap(url);
    const row = { image, top: height, width: Math.round(width / shrink), height: Math.round(tall / shrink) };
    rows.push(row);
    height += row.height;
  }
  const canvas = new OffscreenCanvas(Math.max(...rows.map((row) => row.width)), height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.imageSmoothingQuality = "high";
  for (const { image, top, width, height } of rows) {
    context.save();
    context.beginPath();
    context.rect(0, top, width, height);
    context.clip();
    context.drawImage(image, 0, top, width, image.height / (image.width / width));
    context.restore();
  }
  const fresh = await new Promise((done, failed) => canvas.convertToBlob({ type: "image/webp", quality: 0.8 }).then((blob) => Object.assign(new FileReader(), { onload: (event) => done(event.target.result) }).readAsDataURL(blob), failed));
  if (stored === null) return { fresh, shares: null };
  const read = async (url) => {
    const image = await bitmap(url);
    const copy = new OffscreenCanvas(image.width, image.height).getContext("2d");
    copy.drawImage(image, 0, 0);
    return copy.getImageData(0, 0, image.width, image.height);
  };
  const [now, then] = [await read(fresh), await read(stored)];
  if (now.width !== then.width || now.height !== then.height) return { fresh, shares: null };
  const shares = rows.map(({ top, width, height }) => {
    let count = 0;
    for (let y = top; y < top + height; y += 1)
      for (let x = 0; x < width; x += 1) {
        const at = 4 * (y * now.width + x);
        if ([0, 1, 2].some((channel) => Math.abs(now.data[at + channel] - then.data[at + channel]) > noise)) count += 1;
      }
    return count / (width * height);
  });
  return { fresh, shares };
}

/** Photographs a screen in every look, and compares. `tall` is the part of it that is seen, in heights of the window. */
async function look(page, screen, tall = 1) {
  const pictures = [];
  for (const one of LOOKS) {
    const [width, height] = one.size;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: one.colorScheme, contrast: one.contrast, reducedMotion: "reduce" });
    await page.evaluate(() => scrollTo(0, 0));
    await until("the page is drawn", () => page.evaluate(([width, theme, contrast]) => innerWidth === width && document.documentElement.dataset.theme === theme && document.documentElement.dataset.contrast === contrast && document.fonts.status === "loaded", [width, one.colorScheme, one.contrast === "more" ? "more" : "normal"]));
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const picture = await page.screenshot({ animations: "disabled", timeout: SLOW, ...(tall > 1 ? { fullPage: true, clip: { x: 0, y: 0, width, height: tall * height } } : {}) });
    if (photographs !== undefined) {
      mkdirSync(photographs, { recursive: true });
      writeFileSync(join(photographs, `${screen}-${nameOf(one)}.png`), picture);
    }
    pictures.push({ url: `data:image/png;base64,${picture.toString("base64")}`, width, tall: tall * height });
  }
  const path = join(FOLDER, `${screen}.webp`);
  const stored = existsSync(path) ? `data:image/webp;base64,${readFileSync(path, "base64")}` : null;
  const { fresh, shares } = await desk.evaluate(compare, [pictures, stored, SHRINK, NOISE]);
  if (accept) {
    mkdirSync(FOLDER, { recursive: true });
    return writeFileSync(path, Buffer.from(fresh.split(",")[1], "base64"));
  }
  assert.ok(shares !== null, `${path} is missing or has another size: look at the screens (KRIEGSPIEL_SCREENS), then KRIEGSPIEL_LOOKS=accept`);
  const other = LOOKS.flatMap((one, at) => (shares[at] > TOLERANCE ? [`${nameOf(one)} (${(100 * shares[at]).toFixed(1)} % of it)`] : []));
  assert.deepEqual(other, [], `${screen} looks different: look at it (KRIEGSPIEL_SCREENS), then mend it or KRIEGSPIEL_LOOKS=accept`);
}

const post = (page, path, body = {}) =>
  page.evaluate(
    async ([path, body]) => {
      const answer = await fetch(`/api${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return answer.json();
    },
    [path, body],
  );
const PASSWORD = "four plain words here";
const terms = { rules: "wild16", custom: null, time: { kind: "fischer", initial: 900, increment: 10 }, rated: false };

/** Starts a game of Ada against Ben. Both pages open it. */
async function sitDown(ada, ben) {
  const { code } = await post(ada.page, "/invitations", { ...terms, color: "white" });
  const { game } = await post(ben.page, `/invitations/${code}/accept`);
  return game;
}
async function says(page, text) {
  await page.locator("#try").fill(text);
  await page.locator("#try").press("Enter");
  await until("the try is sent", async () => (await page.locator("#try").inputValue()) === "");
}
async function plays(mover, other, text) {
  await mover.page.locator(".call .state.yours").waitFor();
  await says(mover.page, text);
  await other.page.locator(".call .state.yours").waitFor();
}

test("the front page looks as before", async () => {
  for (const locale of ["en-GB", "de-DE"]) {
    const visitor = await Person.of(browser, club.url, { locale, reducedMotion: "reduce", notation: null });
    await visitor.page.locator(".demo cg-board").waitFor();
    await visitor.page.locator(".halves > section").nth(1).or(visitor.page.locator(".halves > div")).first().waitFor();
    await look(visitor.page, `front-${locale.slice(0, 2)}`, 2);
    await visitor.leave();
  }
});

test("table, end, review, lobby and settings look as before", async () => {
  const options = (locale) => ({ locale, reducedMotion: "reduce", notation: null, viewport: { width: 1440, height: 900 } });
  const [ben, ...adas] = await Promise.all(["en-GB", "en-GB", "de-DE"].map((locale) => Person.of(browser, club.url, options(locale))));
  const [ada] = adas;
  await post(ada.page, "/accounts", { name: "Ada", password: PASSWORD });
  await post(adas[1].page, "/sessions", { name: "Ada", password: PASSWORD });
  await post(ben.page, "/accounts", { name: "Ben", password: PASSWORD });
  const each = async (does) => {
    for (const [at, { page }] of adas.entries()) await does(page, ["en", "de"][at]);
  };
  const first = await sitDown(ada, ben);
  for (const { page } of [ben, ...adas]) await page.goto(`${club.url}/game/${first}`);
  // A capture on each side, a pawn try, a check, then a try that does not parry it, and a try that no man can do.
  const moves = ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e5"];
  for (const [at, move] of moves.entries()) await (at % 2 === 0 ? plays(ada, ben, move) : plays(ben, ada, move));
  for (const { page } of adas) await page.locator(".call.check").waitFor();
  await each(async (page, language) => {
    await says(page, language === "en" ? "a2a4" : "h2h4");
    await page.locator(".reason.no").waitFor();
    await page.locator("#guess").fill("qe5 kd8 nc6 pe7");
    await page.locator("#guess").press("Enter");
    await page.locator("#guess").blur();
    await page.locator(".placed li").nth(3).waitFor();
  });
  await each((page, language) => look(page, `table-${language}`));
  await plays(ada, ben, "f1e2");
  await plays(ben, ada, "g8f6");
  await says(ben.page, "resign");
  await ben.page.locator("dialog button.danger").click();
  await each(async (page, language) => {
    await page.locator(".tallies").getByText(/\d/).waitFor();
    await look(page, `end-${language}`);
    await page.locator(".end button", { hasText: /^(Review|Analyse)$/ }).click();
    await page.locator(".umpire cg-board").waitFor();
    await page.locator(".stepping button").nth(1).click();
    await look(page, `review-${language}`, 2);
  });
  // The lobby of a player: a game that waits for the move, a challenge, a seek, a finished game.
  const second = await sitDown(ada, ben);
  for (const { page } of [ben, ...adas]) await page.goto(`${club.url}/game/${second}`);
  for (const [at, move] of ["e2e4", "e7e5"].entries()) await (at === 0 ? plays(ada, ben, move) : plays(ben, ada, move));
  await post(ben.page, "/challenges", { to: "Ada", terms: { ...terms, color: "any" } });
  const cleo = await Person.of(browser, club.url);
  await post(cleo.page, "/accounts", { name: "Cleopatra", password: PASSWORD });
  await post(cleo.page, "/seeks", { ...terms, color: "black" });
  await each(async (page, language) => {
    await page.goto(club.url);
    await page.locator(".turn").waitFor();
    await page.locator(".halves .ledger, .halves table").first().waitFor();
    await look(page, `lobby-${language}`, 2);
    await page.goto(`${club.url}/settings`);
    await page.locator("fieldset").first().waitFor();
    await look(page, `settings-${language}`, 2);
    for (const [screen, path, drawn] of [["profile", "@/Ada", "table"], ["problems", "problems?author=Gerald+Frank+Anderson", ".cards"], ["problem", "problems/anderson-3", "cg-board"], ["learn", "learn", ".page ol"]]) {
      await page.goto(`${club.url}/${path}`);
      await page.locator(drawn).first().waitFor();
      await look(page, `${screen}-${language}`);
    }
  });
  for (const person of [ben, cleo, ...adas]) await person.leave();
});

test("the design system looks as before", async () => {
  process.env.CLUB = club.url;
  const server = await createServer({ root: new URL("..", import.meta.url).pathname, server: { host: "127.0.0.1", port: 0 }, logLevel: "error" });
  await server.listen();
  const page = await (await browser.newContext()).newPage();
  await page.goto(`http://127.0.0.1:${server.httpServer.address().port}/design`, { timeout: SLOW });
  await page.getByRole("heading", { name: "Icons" }).waitFor();
  await look(page, "design", 3);
  await page.close();
  await server.close();
});
