// Runs axe-core on a page. The browser's debugging protocol injects the script, so the content
// security policy of the page need not allow the script.

import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";

const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Runs in the browser: texts under 13 pixels, and on a touch screen targets under 44 pixels, except links within a text. */
function small() {
  const seen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && one.getBoundingClientRect().width > 1;
  const told = (one, what) => `${what}: ${one.outerHTML.slice(0, 120)}`;
  const all = [...document.body.querySelectorAll("*")].filter(seen);
  const texts = all.filter((one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "") && !one.closest("svg") && parseFloat(getComputedStyle(one).fontSize) < 13);
  // A press on a label counts as a press on its field.
  const boxOf = (one) => (one.closest("label") ?? one).getBoundingClientRect();
  const targets = matchMedia("(pointer: coarse)").matches ? all.filter((one) => one.matches("button, .button, input, select, summary, nav a") && (boxOf(one).height < 43.5 || boxOf(one).width < 43.5)) : [];
  return [...texts.map((one) => told(one, `${getComputedStyle(one).fontSize} text`)), ...targets.map((one) => told(one, `${Math.round(boxOf(one).width)} x ${Math.round(boxOf(one).height)} target`))];
}

/** Fails if axe-core finds anything on the page, or something on it is too small. */
export async function assertAccessible(page, where) {
  const found = await page.evaluate(small);
  if (found.length > 0) throw new Error(`${where}: too small:\n${found.join("\n")}`);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const { violations, passes } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  if (passes.length < 5) throw new Error(`${where}: axe-core checked nothing`);
  if (violations.length === 0) return;
  const told = violations.map(
    ({ id, impact, help, nodes }) =>
      `${impact} ${id}: ${help}\n${nodes.slice(0, 4).map(({ html, failureSummary }) => `    ${html.slice(0, 200)}\n      ${failureSummary}`).join("\n")}`,
  );
  throw new Error(`${where}: ${told.join("\n")}`);
}
