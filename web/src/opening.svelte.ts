// Opens the user's next game when it begins.

import { club } from "./club.svelte";
import { go } from "./router.svelte";
import { play } from "./sound";

/** While the screen is shown, opens a game of the user that begins. A game that the page has already shown is not opened again: the first lobby after a game can be older than the game. */
export function opensGames(busy: () => boolean = () => false): void {
  let known: Set<string> | null = null;
  let knownTo: string | null = null;
  $effect(() => {
    const lobby = club.lobby;
    if (lobby === null) return;
    const whose = club.me?.name ?? null;
    const fresh = lobby.mine.find((game) => known !== null && knownTo === whose && !known.has(game.id) && !club.shown.has(game.id));
    known = new Set(lobby.mine.map((game) => game.id));
    knownTo = whose;
    if (fresh !== undefined && !busy()) {
      play("theirs");
      go(`/game/${fresh.id}`);
    }
  });
}
