// Takes pictures of the page for the README, if KRIEGSPIEL_PICTURES names a folder.

import { mkdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { until } from "./club.mjs";

const ROOT = new URL("../../", import.meta.url).pathname;
const folder = process.env.KRIEGSPIEL_PICTURES;
export const wanted = folder !== undefined && folder !== "";

/** Takes a picture in light and in dark colours: `name.png`, `name-dark.png`. */
export async function picture(page, name, options = {}) {
  if (!wanted) return;
  const place = resolve(ROOT, folder);
  mkdirSync(place, { recursive: true });
  await until("every man stands still", () =>
    page.evaluate(() => document.querySelector("piece.anim, piece.fading") === null),
  );
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  for (const [colorScheme, ending] of [["light", ""], ["dark", "-dark"]]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await until(`the page is ${colorScheme}`, () =>
      page.evaluate((theme) => document.documentElement.dataset.theme === theme, colorScheme),
    );
    const path = resolve(place, `${name}${ending}.png`);
    await page.screenshot({ path, animations: "disabled", ...options });
    if (statSync(path).size < 5_000) throw new Error(`${path}: the picture is empty`);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: null });
}
