import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The club's server, for `npx vite` while working on the page.
const club = process.env.CLUB ?? "http://127.0.0.1:8080";

const proxy = { "/api": { target: club, ws: true } };

export default defineConfig({
  plugins: [svelte()],
  build: {
    // Every picture is a file of its own, so that the page needs no `data:`.
    assetsInlineLimit: 0,
    target: "es2022",
    modulePreload: { polyfill: false },
  },
  server: { proxy },
  preview: { proxy },
  test: { include: ["src/**/*.test.ts"] },
});
