// A short game in Firefox and in WebKit (Debian: firefox-esr, webkit2gtk-driver, xvfb), by WebDriver. CI does not run this:
// `npm run engines`. KRIEGSPIEL_SCREENS names a folder for pictures.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openClub, until } from "./club.mjs";

let club;
before(async () => {
  club = await openClub("--think", "0");
});
after(() => club?.close());

const freePort = () =>
  new Promise((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
function start(words, env = {}) {
  const child = spawn(words[0], words.slice(1), { stdio: "ignore", env: { ...process.env, ...env }, detached: true });
  const end = () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  };
  process.once("exit", end);
  return end;
}

/** Firefox has WebDriver's commands at a socket (Marionette), without a driver: `LENGTH:[0,ID,NAME,PARAMETERS]`. */
async function firefox() {
  const [port, profile] = [await freePort(), mkdtempSync(join(tmpdir(), "firefox-"))];
  writeFileSync(join(profile, "user.js"), `user_pref("marionette.port", ${port});\nuser_pref("intl.accept_languages", "en");\n`);
  const end = start(["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", profile]);
  const socket = await until("Firefox listens", () => new Promise((open) => { const one = connect(port, "127.0.0.1", () => open(one)); one.on("error", () => open(null)); }));
  const waiting = new Map();
  let got = Buffer.alloc(0);
  socket.on("data", (bytes) => {
    got = Buffer.concat([got, bytes]);
    for (;;) {
      const colon = got.indexOf(":");
      const length = Number(got.subarray(0, colon));
      if (colon < 0 || got.length < colon + 1 + length) return;
      const message = JSON.parse(got.subarray(colon + 1, colon + 1 + length));
      got = got.subarray(colon + 1 + length);
      if (Array.isArray(message)) waiting.get(message[1])(message);
    }
  });
  let id = 0;
  const send = (name, parameters) =>
    new Promise((done, failed) => {
      const text = JSON.stringify([0, (id += 1), `WebDriver:${name}`, parameters]);
      waiting.set(id, ([, , error, result]) => (error === null ? done(result?.value ?? result) : failed(new Error(`${name}: ${error.message}`))));
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  await send("NewSession", {});
  return { send, end: () => (end(), rmSync(profile, { recursive: true, force: true })) };
}

/** The addresses of the same commands at a driver. */
const PATHS = { Navigate: "url", ExecuteScript: "execute/sync", PerformActions: "actions", SetWindowRect: "window/rect", TakeScreenshot: "screenshot" };
async function webkit() {
  const [port, folder] = [await freePort(), "/usr/lib/x86_64-linux-gnu"];
  const binary = readdirSync(folder).filter((name) => name.startsWith("webkit2gtk-")).map((name) => join(folder, name, "MiniBrowser")).find((path) => existsSync(path));
  const end = start(["xvfb-run", "-a", "-s", "-screen 0 1600x1000x24", "WebKitWebDriver", `--port=${port}`], { LANG: "en_US.UTF-8", WEBKIT_DISABLE_COMPOSITING_MODE: "1" });
  const call = async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${value.message}`);
    return value;
  };
  await until("the driver listens", () => call("GET", "/status").then(() => true, () => false));
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": { binary, args: ["--automation"] } } };
  const { sessionId } = await call("POST", "/session", { capabilities });
  const send = (name, parameters) => call(name === "TakeScreenshot" ? "GET" : "POST", `/session/${sessionId}/${PATHS[name]}`, name === "TakeScreenshot" ? undefined : parameters);
  return { send, end };
}

/** What a person does: by texts on the page, by the mouse, by keys. */
function person({ send }, name) {
  const run = (script, ...args) => send("ExecuteScript", { script, args });
  const FIND = "const [css, text] = arguments; const all = [...document.querySelectorAll(css)].filter((one) => one.checkVisibility() && one.textContent.includes(text));";
  const sees = (css, text = "") => until(`${css} says ${text}`, () => run(`${FIND} return all.length > 0;`, css, text));
  const press = async ({ x, y }) => {
    const pointer = { type: "pointer", id: "mouse", parameters: { pointerType: "mouse" } };
    await send("PerformActions", { actions: [{ ...pointer, actions: [{ type: "pointerMove", duration: 0, x: Math.round(x), y: Math.round(y) }, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }] }] });
  };
  const PLACE = `${FIND} const one = all[0]; one.scrollIntoView({ block: "nearest" }); const { x, y, width, height } = one.getBoundingClientRect(); return { x: x + width / 2, y: y + height / 2 };`;
  const clicks = async (css, text = "") => {
    await sees(css, text);
    await press(await run(PLACE, css, text));
  };
  const types = async (text) => {
    await clicks("#try");
    const keys = [...text, "\uE007"].flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]);
    await send("PerformActions", { actions: [{ type: "key", id: "keys", actions: keys }] });
  };
  const picture = async (what) => {
    const folder = process.env.KRIEGSPIEL_SCREENS || undefined;
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}-${what}.png`), Buffer.from(await send("TakeScreenshot", { full: false }), "base64"));
  };
  return { run, sees, clicks, types, picture };
}

for (const [name, open] of [["Firefox", firefox], ["WebKit", webkit]])
  test(`a short game in ${name}`, { timeout: 300_000 }, async () => {
    const engine = await open();
    try {
      const { run, sees, clicks, types, picture } = person(engine, name);
      await engine.send("SetWindowRect", { x: 0, y: 0, width: 1440, height: 900 });
      await engine.send("Navigate", { url: club.url });
      await run("window.faults = []; for (const kind of ['error', 'unhandledrejection']) addEventListener(kind, (event) => faults.push(String(event.message ?? event.reason)));");
      await sees(".demo .said b");
      await picture("front");
      await clicks("button.tile", "Play now");
      await sees(".call .state", "Your turn");
      await types("e2e5");
      await sees(".reason", "e5");
      await clicks(".reason button", "Ask the referee anyway");
      await sees(".call .last", "No");
      assert.equal(await run("return document.querySelector('#try').value;"), "", "the field is empty after the try");
      await types("e2e4");
      await sees(".log p", "You play e4");
      await sees(".call .state", "Your turn");
      // The board, by the mouse.
      for (const square of ["d2", "d3"]) await clicks(`[data-square=${square}]`);
      await sees(".log p", "You play d3");
      await sees(".call .state", "Your turn");
      await picture("table");
      await clicks("button", "Resign");
      await clicks("dialog button.danger", "Resign");
      await sees(".tallies", "2 moves");
      await picture("end");
      await clicks(".end button", "Review");
      await sees(".umpire cg-board");
      await clicks(".step", "d3");
      await sees(".stepping .now", "d3");
      await picture("review");
      assert.deepEqual(await run("return window.faults;"), []);
    } finally {
      engine.end();
    }
  });
