// Two ends of `kriegspiel xks` in Chromium. One end is killed in the game.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { assertAccessible } from "./axe.mjs";
import { DESK, openBrowser, program, until } from "./club.mjs";

const KEY = "abcde-fghij-kmnpq-rstuv";

let browser;
let folder;
let port;
const ends = [];

before(async () => {
  browser = await openBrowser();
  folder = mkdtempSync(join(tmpdir(), "xks-"));
});
after(async () => {
  for (const end of ends) end.kill("SIGKILL");
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A port that no program uses now. */
async function freePort() {
  const free = createServer();
  await new Promise((resolve) => free.listen(0, "127.0.0.1", resolve));
  const found = free.address().port;
  await new Promise((resolve) => free.close(resolve));
  return found;
}

/** Starts one end. */
function launch(me, opponent, ...options) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("KRIEGSPIEL_")));
  const words = ["xks", "--state", folder, "--name", me, "--key", KEY, ...options, String(port), opponent];
  const child = spawn(program(), words, { stdio: ["ignore", "pipe", "pipe"], env });
  ends.push(child);
  const ended = new Promise((resolve) => child.on("exit", resolve));
  let said = "";
  child.stdout.on("data", (bytes) => (said += bytes));
  child.stderr.on("data", (bytes) => (said += bytes));
  return { child, ended, said: () => said };
}

/** The address of an end's page; undefined if the end has not printed the address. */
const addressOf = (end) => /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.exec(end.said())?.[0];

/** Starts one end, and waits for the address of its page. */
async function start(me, opponent, ...options) {
  const end = launch(me, opponent, ...options);
  const url = await until(`the address of ${me}'s page`, () => addressOf(end));
  return { ...end, url };
}

/**
 * Starts the end that waits for the other end. Another program may take the free port first. Then this end does not
 * wait, and this function starts it again on another port.
 */
async function startFirst(me, opponent, ...options) {
  let said = "";
  for (let tries = 0; tries < 3; tries += 1) {
    port = await freePort();
    const end = launch(me, opponent, ...options);
    const late = Date.now() + 10_000;
    const url = await until(`${me} waits for ${opponent}`, () => {
      if (end.child.exitCode !== null || Date.now() > late) return "none";
      return end.said().includes(`Waiting for ${opponent}`) && addressOf(end);
    });
    if (url !== "none") return { ...end, url };
    end.child.kill("SIGKILL");
    await end.ended;
    said = end.said();
  }
  throw new Error(`${me} does not wait for ${opponent}:\n${said}`);
}

/** Opens a page and collects its faults. */
async function open(url) {
  const context = await browser.newContext(DESK);
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(url);
  return { context, page, faults };
}

/** A request without a browser. Returns the status and the text of the answer. */
function ask(url, method, headers, body = "") {
  return new Promise((resolve, reject) => {
    const asks = request(url, { method, headers }, (answer) => {
      let text = "";
      answer.on("data", (bytes) => (text += bytes));
      answer.on("end", () => resolve([answer.statusCode, text]));
    });
    asks.on("error", reject);
    asks.end(body);
  });
}

const square = (page, name) => page.locator(`#board button[data-square="${name}"]`);
const hears = (page, text) => page.locator("#lines li", { hasText: text }).last().waitFor();

async function drag(page, from, to) {
  await square(page, from).hover();
  await page.mouse.down({ button: "left" });
  await square(page, to).hover();
  await page.mouse.up({ button: "left" });
}

test("two windows play a game; one program is killed and comes back; strangers get nothing", async () => {
  const annas = await startFirst("anna", "bert", "-w");
  const berts = await start("bert", "anna");
  const anna = await open(annas.url);
  const bert = await open(berts.url);
  await hears(anna.page, "White to move.");
  await hears(bert.page, "White to move.");
  assert.ok(!anna.page.url().includes("token"), "the token leaves the address");
  for (const colorScheme of ["dark", "light"]) {
    await anna.page.emulateMedia({ colorScheme });
    await assertAccessible(anna.page, `the page of xks, ${colorScheme}`);
  }

  // Each page shows its own men only.
  assert.equal(await anna.page.locator("#board img").count(), 16);
  assert.equal(await square(anna.page, "e2").getAttribute("aria-label"), "e2, white pawn");
  assert.equal(await square(anna.page, "e7").getAttribute("aria-label"), "e7");

  // A man is moved with the left button only, by a drag or by two clicks.
  await square(anna.page, "e2").hover();
  await anna.page.mouse.down({ button: "right" });
  await square(anna.page, "e4").hover();
  await anna.page.mouse.up({ button: "right" });
  await drag(anna.page, "e2", "e4");
  await hears(anna.page, "You play e2e4.");
  await hears(bert.page, "White has moved.");
  await square(bert.page, "d7").click();
  await square(bert.page, "d5").click();
  await hears(bert.page, "You play d7d5.");

  // Commands are single letters.
  await anna.page.locator("#heading").click();
  await anna.page.keyboard.press("h");
  await hears(anna.page, "a: any?");
  await anna.page.keyboard.press("a");
  await hears(anna.page, "You ask any? Yes.");
  await hears(bert.page, "White asks any? Yes.");
  await anna.page.keyboard.press("s");
  await anna.page.keyboard.type("good luck");
  await anna.page.keyboard.press("Enter");
  await hears(bert.page, "anna says: good luck");

  // Bert's end is killed, and the same command continues the game on a new page.
  berts.child.kill("SIGKILL");
  await berts.ended;
  await hears(anna.page, "bert is gone.");
  await drag(anna.page, "e4", "d5");
  await hears(anna.page, "You play e4d5.");
  const again = await start("bert", "anna");
  const back = await open(again.url);
  await hears(back.page, "Your pawn on d5 is gone.");
  assert.equal(await back.page.locator("#board img").count(), 15);

  // The address works only once. Requests with another host, with another origin or without the
  // cookie are refused.
  const origin = new URL(again.url).origin;
  const host = new URL(again.url).host;
  const cookies = await back.context.cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  for (const [path, method, headers, status] of [
    [again.url, "GET", {}, 403],
    [`${origin}/state`, "GET", {}, 403],
    [`${origin}/state`, "GET", { cookie }, 200],
    [`${origin}/state`, "GET", { cookie, host: "evil.example" }, 403],
    [`${origin}/state`, "GET", { cookie, origin: "http://evil.example" }, 403],
    [`${origin}/line`, "POST", { cookie }, 403],
    [`${origin}/line`, "POST", { cookie, origin: "http://evil.example" }, 403],
    [`${origin}/line`, "POST", { cookie, origin: `http://localhost:${host.split(":")[1]}` }, 403],
    [`${origin}/line`, "POST", { origin }, 403],
  ]) {
    const [got, text] = await ask(path, method, headers, method === "POST" ? "resign" : "");
    assert.equal(got, status, `${method} ${path} ${JSON.stringify(headers)}: ${text}`);
    // What the page receives names no man of White.
    if (status === 200) assert.ok(JSON.parse(text).men.every(([, man]) => man === man.toLowerCase()));
  }

  await back.page.locator("#heading").click();
  await back.page.keyboard.press("r");
  await back.page.keyboard.press("y");
  for (const { page, faults } of [anna, back]) {
    await hears(page, "Black resigns: White wins, 1-0.");
    await page.getByText("The program has ended.").waitFor();
    assert.deepEqual(faults, []);
  }
  assert.equal(await annas.ended, 0);
  assert.equal(await again.ended, 0);
});
