// The service worker: opens the page without a connection. It keeps files of the build only, which are the same for
// everybody: never an answer of the API, never what the club sends for the address of a game. `vite.config.js` fills in the names.
const VERSION = "%version%";
const SHELL = "%shell%".split(" ");
/** The texts of notices in each language, without the `settings-notice-` of their ids. */
const WORDS = "%words%";

addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(SHELL)));
  skipWaiting();
});
addEventListener("activate", (event) => {
  const tidy = async () => {
    for (const name of await caches.keys()) if (name !== VERSION) await caches.delete(name);
    await clients.claim();
  };
  event.waitUntil(tidy());
});

/** The club comes first: whoever can reach it has its page, and no older one. */
async function page(request) {
  const answer = await fetch(request).catch(() => null);
  return (answer !== null && answer.status < 500 ? answer : await caches.match("/")) ?? answer ?? Response.error();
}

/** The name of a file contains the hash of its content, so a file never changes. */
async function file(request) {
  const cache = await caches.open(VERSION);
  const kept = await cache.match(request, { ignoreVary: true });
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/assets/")) event.respondWith(file(request));
  else if (request.mode === "navigate" && !/^\/api(\/|$)/.test(pathname)) event.respondWith(page(request));
});

/** A notice of the club says what waits, and in which game. The club sends none while a page is open. */
addEventListener("push", (event) => {
  const { kind, game, language } = event.data.json();
  const t = (id) => (WORDS[language] ?? WORDS.en)[id.slice(16)];
  const data = game === null ? "/" : `/game/${game}`;
  event.waitUntil(registration.showNotification(t(`settings-notice-${kind}`), { data, icon: "/icon-192.png", lang: language, renotify: true, tag: game ?? kind }));
});

addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  const show = async () => {
    const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const page = pages.find((one) => new URL(one.url).pathname === notification.data);
    await (page === undefined ? clients.openWindow(notification.data) : page.focus());
  };
  event.waitUntil(show());
});
