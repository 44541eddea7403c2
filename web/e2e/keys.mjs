// A page without a mouse.

import { until } from "./club.mjs";

/** Whether a visible element of the page has the focus. */
const focused = (page) =>
  page.evaluate(() => {
    const now = document.activeElement;
    return now !== null && now !== document.body && now !== document.documentElement;
  });

/** Waits until a visible element has the focus. */
export const keepsFocus = (page, when) => until(`the focus is kept ${when}`, () => focused(page));

/** Presses Tab until an element has the focus. */
export async function tabTo(page, role, name, wanted = page.getByRole(role, { name, exact: true })) {
  await wanted.first().waitFor();
  for (let steps = 0; steps < 90; steps += 1) {
    if (await wanted.first().evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not come to the ${role} ${name}`);
}
/** Goes to an element by Tab, and presses Enter. */
export async function enters(page, role, name) {
  await tabTo(page, role, name);
  await page.keyboard.press("Enter");
}
