// A bot that retakes on the square where it lost a man, and otherwise plays at random.
// kriegspiel bot "cmd:node examples/bots/bot.mjs" --url http://127.0.0.1:8080
import { createInterface } from "node:readline";

const games = new Map(); // of each running game: our colour, who moved last, where a man was lost

for await (const line of createInterface({ input: process.stdin })) {
  const said = JSON.parse(line);
  if (said.new_game) games.set(said.new_game.game, { color: said.new_game.color, mover: null, lostOn: null });
  const game = games.get(said.game);
  for (const heard of said.heard ?? []) {
    if (heard.kind === "moved") Object.assign(game, { mover: heard.by, lostOn: null });
    if (heard.kind === "capture" && game.mover !== game.color) game.lostOn = heard.square;
  }
  if (said.tries) {
    const retakes = said.tries.filter((attempt) => attempt.slice(2, 4) === game.lostOn);
    const choice = retakes.length > 0 ? retakes : said.tries;
    console.log(choice[Math.floor(Math.random() * choice.length)] ?? "resign");
  }
  if (said.end_game) games.delete(said.end_game);
}
