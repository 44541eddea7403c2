// The service worker: without a connection the page opens and says so, an update is seen at once, the worker keeps
// nothing but files of the build, and shows notices.

import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { Person, openBrowser, openClub, until } from "./club.mjs";
import { button, field, lastCall, menu, types } from "./table.mjs";

let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

/** A proxy to a club. `build` is the build of the page that it sends. */
async function openProxy(url) {
  const { hostname, port } = new URL(url);
  const proxy = { build: "1" };
  const changed = {
    "/": (text) => text.replace("<head>", `<head><meta name="build" content="${proxy.build}">`),
    "/sw.js": (text) => text.replace(/VERSION = "/, `$&${proxy.build}-`),
  };
  const server = createServer((asked, answer) => {
    const { "accept-encoding": encoding, "if-none-match": tag, ...rest } = asked.headers;
    const change = changed[asked.url];
    const headers = change === undefined ? asked.headers : rest;
    const forward = request({ hostname, port, path: asked.url, method: asked.method, headers }, async (got) => {
      if (change === undefined) return got.pipe(answer.writeHead(got.statusCode, got.headers));
      const text = change((await got.toArray()).join(""));
      answer.writeHead(got.statusCode, { ...got.headers, "content-length": Buffer.byteLength(text) }).end(text);
    });
    forward.on("error", () => answer.destroy());
    asked.pipe(forward);
  });
  server.on("upgrade", ({ method, url, rawHeaders }, socket) => {
    const club = connect(port, hostname, () => {
      const lines = rawHeaders.map((one, at) => (at % 2 === 0 ? `${one}: ` : `${one}\r\n`)).join("");
      club.write(`${method} ${url} HTTP/1.1\r\n${lines}\r\n`);
      club.pipe(socket).pipe(club);
    });
    for (const one of [club, socket]) one.on("error", () => [club, socket].forEach((end) => end.destroy()));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(proxy, { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() });
}

/** What the worker keeps: the names of its caches, and the paths and texts in them. */
const kept = (page) =>
  page.evaluate(async () => {
    const found = { caches: await caches.keys(), paths: [], text: "" };
    for (const name of found.caches) {
      const cache = await caches.open(name);
      for (const one of await cache.keys()) {
        found.paths.push(new URL(one.url).pathname);
        found.text += await (await cache.match(one)).text();
      }
    }
    return found;
  });
const buildOf = (page) => page.locator('meta[name="build"]').getAttribute("content");
const away = (page) => page.getByRole("heading", { name: "You are offline" });

test("without a connection the page opens, and an update is seen at once", async () => {
  const club = await openClub("--think", "0");
  const proxy = await openProxy(club.url);
  const person = await Person.of(browser, proxy.url);
  const { page } = person;
  const version = () => page.evaluate(() => caches.keys());
  await until("the worker has installed itself", () => page.evaluate(() => navigator.serviceWorker.controller !== null));
  // A game, an account, and a sign-out, all of which the worker sees.
  await page.reload();
  await button(page, "Play now").click();
  await lastCall(page).getByText("Your turn", { exact: true }).waitFor();
  await types(page, "e2e4");
  const game = page.url();
  await until("the try is sent", async () => (await field(page).inputValue()) === "");
  await page.evaluate(() => fetch("/api/accounts", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ name: "Ottokar", password: "a long password" }) }));
  await page.reload();
  await button(page, "Ottokar: menu").waitFor();
  await menu(page, "Sign out");
  await button(page, "Sign in").waitFor();
  const all = await kept(page);
  assert.equal(all.caches.length, 1);
  assert.ok(all.paths.length > 5 && all.paths.includes("/"), `${all.paths}`);
  assert.deepEqual(all.paths.filter((path) => path !== "/" && !path.startsWith("/assets/")), []);
  assert.doesNotMatch(all.text, /Ottokar|guest-?\d/);

  person.clubAway = true;
  await club.stop();
  for (const path of [proxy.url, game]) {
    await page.goto(path);
    await away(page).waitFor();
  }
  // No answer of the API comes from the worker.
  assert.equal(await page.evaluate(() => fetch("/api/lobby").then(() => "an answer", () => "none")), "none");
  await page.goto(proxy.url);
  await club.again();
  await button(page, "Play now").or(button(page, "Play again")).waitFor();
  assert.equal(await away(page).count(), 0);

  proxy.build = "2";
  await page.goto(proxy.url);
  assert.equal(await buildOf(page), "2");
  await until("only the new build is kept", async () => (await version()).join() !== "" && (await version()).every((one) => one.startsWith("2-")));
  await club.stop();
  await page.goto(proxy.url);
  await away(page).waitFor();
  assert.equal(await buildOf(page), "2");
  await person.leave();
  proxy.close();
  await club.close();
});

test("a page that speaks another version than the club loads itself again, once", async () => {
  const club = await openClub();
  const person = await Person.of(browser, club.url);
  const { page } = person;
  let welcomes = 0;
  await page.routeWebSocket(/\/api\/socket/, (socket) => {
    socket.connectToServer().onMessage((text) => {
      const message = JSON.parse(text);
      if (message.type === "welcome") {
        message.version = 99;
        welcomes += 1;
      }
      socket.send(JSON.stringify(message));
    });
  });
  await page.goto(club.url);
  await until("the page has loaded itself again", () => welcomes === 2);
  await button(page, "Sign in").waitFor();
  assert.equal(welcomes, 2);
  await person.leave();
  await club.close();
});

/** Stands for the browser's push service, which a test cannot reach. */
function fakePush() {
  let there = null;
  PushManager.prototype.getSubscription = async () => there;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    const { publicKey } = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
    const p256dh = await crypto.subtle.exportKey("raw", publicKey);
    const unsubscribe = async () => (there = null);
    there = { endpoint: `https://push.example/${applicationServerKey.length}`, getKey: (name) => (name === "auth" ? new Uint8Array(16).buffer : p256dh), unsubscribe };
    return there;
  };
}

test("a device gets notices if its user switches them on, and a notice opens its game", async () => {
  const club = await openClub();
  const person = await Person.of(browser, club.url);
  const { page, context } = person;
  await context.grantPermissions(["notifications"]);
  await context.addInitScript(fakePush);
  await until("the worker has installed itself", () => page.evaluate(() => navigator.serviceWorker.controller !== null));
  const register = (name) => page.evaluate((name) => fetch("/api/accounts", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ name, password: "a long password" }) }).then((one) => one.status), name);
  const isOn = () => page.evaluate(() => fetch("/api/push").then((one) => one.json()).then(({ on }) => on));
  const box = page.getByRole("checkbox", { name: "Notify this device when it is my turn" });
  assert.equal(await register("Ottokar"), 201);
  await page.goto(`${club.url}/settings`);
  await box.click();
  await until("notices are on", isOn);
  assert.equal(await box.isChecked(), true);
  // The subscription ends with the session. A new session of the same user gets one, but not another user.
  await page.evaluate(() => fetch("/api/session", { method: "DELETE" }));
  assert.equal(await register("Another"), 201);
  await page.goto(club.url);
  await button(page, "Another: menu").waitFor();
  assert.equal(await isOn(), false);
  await page.evaluate(() => fetch("/api/sessions", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ name: "Ottokar", password: "a long password" }) }));
  await page.goto(`${club.url}/settings`);
  await until("notices are on again", isOn);

  // Chromium itself delivers a notice to the worker, in the language that it names.
  const protocol = await context.newCDPSession(page);
  const registered = new Promise((resolve) => protocol.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => registrations.length > 0 && resolve(registrations[0].registrationId)));
  await protocol.send("ServiceWorker.enable");
  const registrationId = await registered;
  const shown = () => page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, data, tag }) => `${title} ${data} ${tag}`));
  for (const [kind, game, language, expected] of [
    ["turn", "2snhy8s3xbjq", "en", "It is your turn /game/2snhy8s3xbjq 2snhy8s3xbjq"],
    ["turn", "2snhy8s3xbjq", "de", "Du bist am Zug /game/2snhy8s3xbjq 2snhy8s3xbjq"],
    ["message", null, "en", "You have a message / message"],
  ]) {
    const data = JSON.stringify({ kind, game, language }).padEnd(128);
    await protocol.send("ServiceWorker.deliverPushMessage", { origin: club.url, registrationId, data });
    await until("the notice is shown", async () => (await shown()).includes(expected));
  }
  // A later notice of a game replaces the earlier one.
  assert.equal((await shown()).length, 2);
  // Only a press of a person may open a window, so the window and the press are the test's.
  const [worker] = context.serviceWorkers();
  const opened = await worker.evaluate(async () => {
    ExtendableEvent.prototype.waitUntil = () => {};
    const window = new Promise((resolve) => (clients.openWindow = async (path) => resolve(path)));
    const [notification] = await registration.getNotifications({ tag: "2snhy8s3xbjq" });
    dispatchEvent(new NotificationEvent("notificationclick", { notification }));
    return window;
  });
  assert.equal(opened, "/game/2snhy8s3xbjq");
  await box.click();
  await until("notices are off", async () => !(await isOn()));
  await person.leave();
  await club.close();
});
