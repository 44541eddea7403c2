// Custom rules are made from a built-in ruleset, shown to the opponent before a game is accepted, and used in the game.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, openClub, Person } from "./club.mjs";
import { button, gameOf, insists, lastCall, region, types, unfolds } from "./table.mjs";

let club;
let browser;
before(async () => {
  club = await openClub();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await club?.close();
});

test("the opponent sees how custom rules differ from their base before the game is accepted", async () => {
  const white = await Person.of(browser, club.url);
  const black = await Person.of(browser, club.url);
  const { page } = white;
  // The browser logs an error when the club refuses a file.
  white.expected = /4\d\d/;
  await unfolds(page);
  await page.getByRole("combobox", { name: "Ruleset" }).selectOption({ label: "Your own rules..." });
  const sees = region(page, "What your opponent will see");
  await sees.getByText("without changes").waitFor();
  // A choice is changed in the form. The meaning of the new value is shown beside the choice.
  await page.locator("summary", { hasText: "An illegal attempt" }).click();
  const choice = page.getByRole("combobox", { name: "Who hears the answer no" });
  await choice.selectOption("both");
  await page.getByText("Everybody hears the answer no.").first().waitFor();
  await sees.getByText("with one change:").waitFor();
  await page.locator("summary", { hasText: "An illegal attempt · 1 change" }).waitFor();
  // The text field contains the choices of the form as a file. A file that is pasted into the field
  // fills the form.
  await page.locator("summary", { hasText: "Import or export as a file" }).click();
  const file = page.getByRole("textbox", { name: "The rules, as a file" });
  assert.match(await file.inputValue(), /^from = "wild16"[^]*\[choices\]\nno_heard = "both"\n$/m);
  const downloads = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  assert.equal((await downloads).suggestedFilename(), "my-wild16.toml");
  const mine = await file.inputValue();
  await file.fill('id = "odd"\nfrom = "rand"\ntitle = "Odd"\n\n[choices]\ncheck = "loud"\n');
  await page.getByText(/`check` cannot be|“check” cannot be/).waitFor();
  await button(page, "Show line 6").click();
  await file.fill(mine);
  await sees.getByText("with one change:").waitFor();
  assert.equal(await choice.inputValue(), "both");
  // The game begins in a given position.
  const start = page.getByRole("textbox", { name: /^Start position, as FEN/ });
  await start.fill("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
  await start.press("Tab");
  await page.getByText("A game cannot begin in this position: check the FEN.").waitFor();
  await start.fill("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1");
  await start.press("Tab");
  const given = { name: /^The start position\. White: King e1; .* Black: King e8; / };
  await sees.getByRole("img", given).waitFor();
  await page.getByRole("checkbox", { name: /^A screen in a hall/ }).check();
  await sees.getByText("No player may be there.").waitFor();
  await page.getByRole("radio", { name: "White" }).check({ force: true });
  await button(page, "Find an opponent").click();

  await black.page.getByRole("button", { name: /^Play guest/ }).click();
  const dialog = black.page.getByRole("dialog", { name: /^guest.*'s own rules$/ });
  await dialog.getByRole("region", { name: /^How .* differs from / }).getByText("Everybody hears the answer no.").waitFor();
  await dialog.getByRole("img", given).waitFor();
  await dialog.getByText("No player may be there.").waitFor();
  await dialog.getByRole("button", { name: "Play with these rules" }).click();
  assert.equal(await gameOf(black.page), await gameOf(page));

  await lastCall(page).getByText("Your turn").waitFor();
  await insists(page, "e1e2");
  await region(page, "Why").waitFor();
  // The meanings of the calls follow the rules of the game. Under these rules everybody hears a "no", but not nonsense.
  await button(page, "Explain the calls").click();
  const meaning = page.getByRole("dialog", { name: "What the calls mean" });
  await meaning.getByText("White is told no").waitFor();
  await meaning.getByText(/Everybody hears that a try was refused, but not which one\..* Only the mover hears such a no\./).waitFor();
  await meaning.getByText("What else can be said under these rules").click();
  await meaning.getByText("Check on the long diagonal").waitFor();
  await meaning.getByText("Your king on e1").waitFor();
  assert.equal(await meaning.getByText(/asks any/).count(), 0, "nobody can ask Any? under these rules");
  await page.keyboard.press("Escape");
  await meaning.waitFor({ state: "hidden" });
  await types(page, "a2a3");
  await lastCall(black.page).getByText("Your turn").waitFor();
  await black.leave();
  await white.leave();
});
