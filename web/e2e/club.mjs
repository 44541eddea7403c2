// A separate club for a test, a browser, and people with their pages.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { slowWay } from "./way.mjs";

const ROOT = new URL("../../", import.meta.url).pathname;

/** The maximum time to wait for anything, in milliseconds. */
const PATIENCE = 60_000;

/** If this is not 0, a proxy delays the data between a page and its club, by at most this number of milliseconds. */
const LAG = Number(process.env.KRIEGSPIEL_LAG ?? 0);

/** The path of the program under test: the variable KRIEGSPIEL, or the place where cargo builds the program. */
export function program() {
  const target = process.env.CARGO_TARGET_DIR ?? join(ROOT, "target");
  const places = [process.env.KRIEGSPIEL, join(target, "release/kriegspiel"), join(target, "debug/kriegspiel")];
  const found = places.find((path) => path !== undefined && existsSync(path));
  if (found === undefined) throw new Error("the program is not built: run cargo build -p kriegspiel-cli, or set KRIEGSPIEL to its path");
  return found;
}

/** The path of the browser: the variable CHROMIUM, or one of the usual places. */
function browserPath() {
  const places = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const found = places.find((path) => path !== undefined && existsSync(path));
  if (found === undefined) throw new Error("no Chromium: `cargo xtask setup` installs it; or set CHROMIUM to the path of yours");
  return found;
}

// If a test file takes too long, the test runner sends SIGTERM. The handlers of `exit` then end the
// clubs that the test file has started.
process.once("SIGTERM", () => process.exit(1));

/** The environment for the club, without variables that would change its settings. */
const environment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("KRIEGSPIEL_")));

/** Starts the program, and waits until it prints its address. */
async function start(listen, data, flags) {
  const words = ["serve", "--listen", listen, "--data", data, "--password-cost", "cheap", ...flags];
  const child = spawn(program(), words, { stdio: ["ignore", "pipe", "pipe"], env: environment() });
  let said = "";
  const url = await new Promise((resolve, reject) => {
    const read = (bytes) => {
      said += bytes;
      const found = /(?:open|listens) at (http:\/\/127\.0\.0\.1:\d+)(?:;| \(Ctrl)/.exec(said);
      if (found) resolve(found[1]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    // The event `close` comes when the whole output has been read.
    child.on("close", () => reject(new Error(`the club did not open:\n${said}`)));
  });
  // A test that fails does not close its club, so the club is killed when the process exits.
  process.once("exit", () => child.kill("SIGKILL"));
  return { child, url, ended: new Promise((resolve) => child.on("exit", resolve)), said: () => said };
}

/** Starts a club again on its earlier port. Another program may use this port for a moment, so this tries for 10 s. */
async function startAgain(listen, data, flags) {
  const end = Date.now() + 10_000;
  for (;;) {
    try {
      return await start(listen, data, flags);
    } catch (error) {
      if (!/ is in use/.test(error.message) || Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/**
 * Opens a club on a free port. `kill` sends SIGKILL. `again` starts the club again on
 * the same port with the same file. `close` stops the club and deletes its file.
 */
export async function openClub(...flags) {
  const folder = mkdtempSync(join(tmpdir(), "club-"));
  const data = join(folder, "club.db");
  let running = await start("127.0.0.1:0", data, flags);
  const { url } = running;
  const way = LAG > 0 ? await slowWay(url, () => Math.random() * LAG) : null;
  return {
    url: way?.url ?? url,
    data,
    said: () => running.said(),
    async kill() {
      running.child.kill("SIGKILL");
      await running.ended;
    },
    /** Stops the club with SIGTERM and keeps its file. */
    async stop() {
      running.child.kill("SIGTERM");
      await running.ended;
    },
    async again() {
      running = await startAgain(new URL(url).host, data, flags);
    },
    async close() {
      running.child.kill("SIGTERM");
      await running.ended;
      way?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const openBrowser = () =>
  chromium.launch({
    executablePath: browserPath(),
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });

export const DESK = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Errors that a browser logs if the club cannot be reached, or waits for its games after a kill; no page can prevent them. */
const NOBODY_THERE = /ERR_CONNECTION_(REFUSED|RESET|CLOSED)|ERR_EMPTY_RESPONSE|ERR_INTERNET_DISCONNECTED|status of 503|WebSocket connection to .* failed/;

/**
 * A person with a separate browser.
 *
 * - `faults`: errors of the page, or of the browser about the page (also about the
 *   content security policy). Every test ends with `assertFaultless`.
 * - `heard(game)`: the hearings of a game that the pages received, by number.
 * - `sent`: every request and every message of the pages, as text.
 */
export class Person {
  /** All hearings that the pages received, by game, in the order of arrival. */
  #hearings = new Map();
  faults = [];
  sent = [];
  /** Whether the club is stopped on purpose. */
  clubAway = false;
  /**
   * A pattern of errors that the test causes on purpose. The pattern is needed because a browser
   * logs every refused request as an error.
   */
  expected = null;

  static async of(browser, url, options = DESK) {
    const person = new Person();
    person.url = url;
    const { notation = "coordinates", ...rest } = options;
    person.context = await browser.newContext(rest);
    // The referee writes moves in coordinates. Most tests compare the page with the referee, so the
    // page uses coordinates too.
    await person.context.addInitScript((notation) => {
      if (notation !== null && localStorage.getItem("notation") === null) localStorage.setItem("notation", notation);
    }, notation);
    // The page has its own sentences: without the sentences of the club it shows the same.
    await person.context.addInitScript(() => {
      const texts = ["why", "over_words", "facts", "sections", "summary", "sources", "notes", "about", "here", "there", "base_title", "ended"];
      const { parse } = JSON;
      JSON.parse = (text, reviver) =>
        parse(text, function (key, value) {
          // What a person says in a profile is no sentence of the club.
          const isSaid = key === "about" && "muted" in this;
          if ((texts.includes(key) && !isSaid) || (key === "words" && Array.isArray(this.heard))) return undefined;
          return reviver === undefined ? value : reviver.call(this, key, value);
        });
    });
    person.context.setDefaultTimeout(PATIENCE);
    person.page = await person.open("/");
    return person;
  }

  /** Opens another tab of the same person. */
  async open(path) {
    const page = await this.context.newPage();
    const complains = (text) => {
      const known = (this.clubAway && NOBODY_THERE.test(text)) || this.expected?.test(text);
      if (!known) this.faults.push(text);
    };
    page.on("pageerror", (error) => complains(`error: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complains(`${message.text()} ${message.location().url}`);
    });
    page.on("request", (request) => this.sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ""}`));
    page.on("websocket", (socket) => {
      socket.on("framesent", ({ payload }) => this.sent.push(String(payload)));
      socket.on("framereceived", ({ payload }) => {
        const message = JSON.parse(String(payload));
        if (message.type !== "heard") return;
        if (!this.#hearings.has(message.game)) this.#hearings.set(message.game, []);
        this.#hearings.get(message.game).push(message.hearing);
      });
    });
    await page.goto(this.url + path);
    return page;
  }

  hearings(game) {
    return this.#hearings.get(game) ?? [];
  }

  /** The hearings of a game by number. If a hearing was received twice, both copies must be equal. */
  heard(game) {
    const all = [];
    for (const { n, heard } of this.hearings(game)) {
      if (all[n - 1] !== undefined && JSON.stringify(all[n - 1]) !== JSON.stringify(heard))
        throw new Error(`hearing ${n} was received as ${JSON.stringify(all[n - 1])}, then as ${JSON.stringify(heard)}`);
      all[n - 1] = heard;
    }
    return all;
  }

  assertFaultless() {
    if (this.faults.length > 0) throw new Error(`the page complained:\n${this.faults.join("\n")}`);
  }

  async leave() {
    this.assertFaultless();
    await this.context.close();
  }
}

/** Waits until a condition holds, and returns its value. */
export async function until(what, holds) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const found = await holds();
    if (found) return found;
    if (Date.now() > end) throw new Error(`not reached within ${PATIENCE / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
