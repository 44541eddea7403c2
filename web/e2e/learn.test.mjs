// The lessons, from the front page to the last one, by keyboard: a wrong course and its repetition, the stored
// solutions, what is kept on this device. At the size of a desk and of a phone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertAccessible } from "./axe.mjs";
import { DESK, PHONE, Person, openBrowser, openClub } from "./club.mjs";
import { button, field, lastCall, sticksOut, types } from "./table.mjs";

const text = readFileSync(new URL("../../files/problems/data/lessons.jsonl", import.meta.url), "utf8");
const lessons = text.trim().split("\n").map((line) => JSON.parse(line));

let club;
let browser;
before(async () => {
  club = await openClub("--bots", "random");
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await club?.close();
});

const enter = (what) => what.press("Enter");
const link = (page, name) => page.getByRole("link", { name, exact: true });
async function isFit(page, where) {
  await assertAccessible(page, where);
  assert.equal(await sticksOut(page), 0, where);
}

/** Types attempts, and waits for each answer. */
async function plays(page, attempts) {
  for (const attempt of attempts) {
    await types(page, attempt);
    await page.waitForFunction((sent) => document.querySelector(".typed input")?.value !== sent, attempt);
    await page.getByText("Asking the referee...").waitFor({ state: "hidden" });
  }
}

for (const [size, options] of [["desk", DESK], ["phone", PHONE]]) {
  test(`a newcomer plays all lessons by keyboard, at a ${size}`, async () => {
    const person = await Person.of(browser, club.url, { ...options, reducedMotion: "reduce" });
    const { page } = person;
    await enter(page.getByRole("link", { name: "Learn it in fifteen minutes" }));
    await page.getByText(`0 of ${lessons.length} done on this device`).waitFor();
    await isFit(page, "the list of lessons");
    await enter(link(page, "Start"));

    for (const [at, { id, wrong, solution, guess, attempts }] of lessons.entries()) {
      await page.waitForURL(`**/learn/${id}`);
      await page.getByRole("img", { name: /^Your men: / }).waitFor();
      if (guess !== undefined) {
        await types(page, solution[0]);
        await page.getByText(`First put a guess on ${guess}.`).first().waitFor();
        if (size === "phone") await enter(button(page, "Guesses"));
        await page.getByLabel("Type guesses").fill(`n${guess}`);
        await page.getByLabel("Type guesses").press("Enter");
        await page.getByRole("img", { name: new RegExp(`Your guesses: Knight ${guess}`) }).waitFor();
      }
      // A wrong course of the first lessons, and once more from the beginning.
      if (at < 2 || attempts !== undefined) {
        await plays(page, wrong);
        await lastCall(page).getByText("Not this time.").waitFor();
        if (at === 0) await isFit(page, "a missed lesson");
        await enter(button(page, "Try again"));
        await field(page).waitFor();
      }
      if (at === 0 || guess !== undefined) await isFit(page, `the lesson ${id}`);
      await plays(page, solution);
      await lastCall(page).getByText("Right!").waitFor();
      await page.getByRole("img", { name: /^What stood there\. White: .* Black: / }).waitFor();
      assert.equal(await field(page).count(), 0);
      if (at === 0) await isFit(page, "the end of a lesson");
      if (at < lessons.length - 1) await enter(link(page, "Next step"));
    }
    await enter(link(page, "All lessons"));
    await page.getByText(`${lessons.length} of ${lessons.length} done on this device`).waitFor();

    // What is done is resumable; a lesson that does not exist; German.
    await page.evaluate((ids) => localStorage.setItem("lessons", JSON.stringify(ids)), lessons.slice(0, 3).map((one) => one.id));
    await page.reload();
    assert.equal(await link(page, "Continue").getAttribute("href"), `/learn/${lessons[3].id}`);
    person.expected = /404/;
    await page.goto(`${club.url}/learn/nobody`);
    await page.getByRole("alert").getByText("There is no such lesson").waitFor();
    await page.evaluate(() => localStorage.setItem("language", "de"));
    await page.goto(`${club.url}/learn/${lessons[2].id}`);
    await page.getByRole("heading", { level: 1, name: "Der Bauernschlag" }).waitFor();
    await isFit(page, "a lesson in German");
    await person.leave();
  });
}
