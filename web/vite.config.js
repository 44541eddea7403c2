import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The address of the club, for `npx vite` while you work on the page.
const club = process.env.CLUB ?? "http://127.0.0.1:8080";

const proxy = { "/api": { target: club, ws: true } };

export default defineConfig({
  plugins: [svelte()],
  build: {
    // Every picture is a separate file, so that the page contains no `data:` addresses.
    assetsInlineLimit: 0,
    target: "es2022",
    modulePreload: { polyfill: false },
  },
  server: { proxy },
  preview: { proxy },
  test: { include: ["src/**/*.test.{ts,mjs}"] },
});
