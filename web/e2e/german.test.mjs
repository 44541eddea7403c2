// A short game in German: the language of the browser, the letters of the men, the referee's sentences, the end.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, openClub, Person } from "./club.mjs";
import { sticksOut } from "./table.mjs";

let club;
let browser;
before(async () => {
  club = await openClub("--think", "0");
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await club?.close();
});

test("a whole short game in German", async () => {
  const person = await Person.of(browser, club.url, { locale: "de-DE", notation: "san", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const { page } = person;
  await page.getByRole("button", { name: "Jetzt spielen" }).click();
  await page.getByRole("region", { name: "Letzte Ansage" }).getByText("Du bist am Zug").waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
  const field = page.getByRole("textbox", { name: "Versuch eingeben" });
  await field.fill("Sf3");
  await field.press("Enter");
  await page.getByRole("log", { name: "Ansagen" }).getByText("Du spielst Sf3.").waitFor({ state: "attached" });
  assert.equal(await sticksOut(page), 0, "nothing is wider than the phone");
  await page.getByRole("region", { name: "Letzte Ansage" }).getByText("Du bist am Zug").waitFor();
  await field.fill("resign");
  await field.press("Enter");
  await page.getByRole("dialog", { name: "Aufgeben" }).getByRole("button", { name: "Aufgeben" }).click();
  await page.getByText(/Verloren: Du hast aufgegeben/).first().waitFor();
  await page.goto(`${club.url}/settings`);
  await page.getByText("Deutsch (ungeprüft)").waitFor();
  await page.getByRole("radio", { name: "English" }).check();
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  await person.leave();
});
