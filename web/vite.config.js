import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { FluentResource } from "@fluent/bundle";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { page } from "./src/words/page.ts";

// The address of the club, for `npx vite` while you work on the page.
const club = process.env.CLUB ?? "http://127.0.0.1:8080";

const proxy = { "/api": { target: club, ws: true } };

/** Writes the texts of the catalogue into index.html, and the manifest of the app. */
const words = {
  name: "words",
  transformIndexHtml: (html) => html.replace(/%(\w+)%/g, (_, name) => page[name]),
  generateBundle(_, bundle) {
    const drawing = Object.keys(bundle).find((name) => /^assets\/icon-.*\.svg$/.test(name));
    const icon = (sizes, purpose) => ({ src: `/icon-${sizes}.png`, sizes: `${sizes}x${sizes}`, type: "image/png", purpose });
    const manifest = {
      name: page.name,
      short_name: page.short,
      description: page.description,
      lang: "en",
      id: "/",
      categories: ["games"],
      start_url: "/",
      scope: "/",
      display: "standalone",
      background_color: "#f1f4ef",
      theme_color: "#1c2b24",
      icons: [
        { src: `/${drawing}`, sizes: "any", type: "image/svg+xml" },
        icon(192, "any"),
        icon(512, "any"),
        { ...icon(512, "maskable"), src: "/icon-maskable-512.png" },
      ],
    };
    this.emitFile({ type: "asset", fileName: "manifest.webmanifest", source: JSON.stringify(manifest) });
  },
};

/** A part of a message in a short form, which `language.svelte.ts` reads. */
function short(part) {
  if (typeof part === "string") return part;
  if (Array.isArray(part)) return part.map(short);
  switch (part.type) {
    case "var":
      return { $: part.name };
    case "mesg":
      return { m: part.name };
    case "str":
      return part.value;
    case "select":
      return { $: part.selector.name, ...Object.fromEntries(part.variants.map(({ key, value }, at) => [`${at === part.star ? "*" : ""}${key.value}`, short(value)])) };
    default:
      throw new Error(`the page does not know ${part.type} in messages`);
  }
}

/** Reads the messages of a file `.ftl`, so that the page does not have to. */
const fluent = {
  name: "fluent",
  transform(text, id) {
    if (!id.endsWith(".ftl")) return null;
    const messages = new FluentResource(text).body.map(({ id, value }) => [id, short(value)]);
    return { code: `export default ${JSON.stringify(Object.fromEntries(messages))};`, map: null, moduleType: "js" };
  },
};

/** The texts of notices in each language. The service worker shows them while no page is open. */
function notices() {
  const languages = readdirSync("src/words", { withFileTypes: true }).filter((one) => one.isDirectory());
  const textsOf = ({ name }) => new FluentResource(readFileSync(`src/words/${name}/settings.ftl`, "utf8")).body.filter(({ id }) => id.startsWith("settings-notice-"));
  return Object.fromEntries(languages.map((one) => [one.name, Object.fromEntries(textsOf(one).map(({ id, value }) => [id.slice(16), value]))]));
}

/** Writes the service worker. Its version changes with each build, because the page names the files of the build. */
const worker = {
  name: "worker",
  writeBundle({ dir }, bundle) {
    const html = bundle["index.html"].source;
    const named = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path);
    const font = Object.keys(bundle).filter((name) => name.endsWith(".woff2"));
    const shell = ["/", ...named, ...font.map((name) => `/${name}`)].join(" ");
    const version = createHash("sha256").update(html).digest("hex").slice(0, 16);
    // A browser fetches the worker again and again, so without comments and indentation.
    const plain = readFileSync("src/worker.js", "utf8").replace(/^ *((\/\/|\/\*\*).*\n|\n)?/gm, "");
    writeFileSync(join(dir, "sw.js"), plain.replace("%version%", version).replace("%shell%", shell).replace('"%words%"', () => JSON.stringify(notices())));
  },
};

/** Lets Chromium compile the first screen while it arrives, not when it runs. The comment must be the first line, so this runs last. */
const early = {
  name: "early",
  writeBundle({ dir }, bundle) {
    const base = Object.values(bundle).find(({ name, type }) => name === "base" && type === "chunk");
    base.code = `//# allFunctionsCalledOnLoad\n${base.code}`;
    writeFileSync(join(dir, base.fileName), base.code);
  },
};

/** Writes a compressed copy of each file whose name contains a hash. The club sends it to browsers that can read it. */
const compressed = {
  name: "compressed",
  writeBundle({ dir }, bundle) {
    for (const [name, file] of Object.entries(bundle)) {
      if (!/^assets\/.*\.(js|css)$/.test(name)) continue;
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(file.code ?? file.source));
    }
  },
};

const PARTS = { chess: "first", lobby: "first", program: "first", ruleset: "first", site: "first", cause: "game", game: "game", heard: "game", talk: "game", fact: "game", review: "game" };
/** The file of texts for a part of the page. */
const textsOf = (id) => {
  const [, language, name] = /(\w+)\/(\w+)\.ftl$/.exec(id);
  return `${language}-${PARTS[name] ?? name}`;
};

export default defineConfig({
  plugins: [svelte(), fluent, words, early, worker, compressed],
  build: {
    // The pictures of the men are a part of the style sheet: a game needs all of them, and each request costs more
    // bytes than a picture.
    assetsInlineLimit: (path) => path.includes("/men/"),
    target: "es2022",
    modulePreload: { polyfill: false },
    // Each file costs about 640 bytes of HTTP headers. So there is one file for the first screen, one for a game, and one for each set of texts.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "base", test: /src\/(main\.ts|App\.svelte)|rolldown\/runtime/, priority: 1 }, { name: "play", test: /src\/play\.ts/ }, { name: textsOf, test: /\.ftl$/ }] } } },
  },
  server: { proxy },
  preview: { proxy },
  // The time limit is large, because a machine with other work may be slow. No test measures time.
  test: { setupFiles: "src/words/setup.ts", include: ["src/**/*.test.{ts,mjs}"], testTimeout: 60_000 },
});
