// Runs axe-core on a page. The browser's debugging protocol injects the script, so the content
// security policy of the page need not allow the script.

import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";

const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Fails if axe-core finds anything on the page. */
export async function assertAccessible(page, where) {
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
