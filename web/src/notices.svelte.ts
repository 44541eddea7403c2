// What waits for the user, known on every screen: games in which it is the user's turn, challenges, messages.

import * as api from "./api";
import { club } from "./club.svelte";
import type { ClocksJson, GameRowJson, MessageJson, Side } from "./wire";

const ASK_INTERVAL = 10_000;
/** The same in a tab that is not seen: its title says how many games wait. */
const HIDDEN_INTERVAL = 60_000;
/** The number of games about which the page asks at once; of more games it asks in turn. */
const MAX_GAMES = 12;

class Notices {
  /** Whose turn it is in each of the user's games, and the clocks; it is the user's turn, too, if the opponent offers to resume an adjourned game. The list of games in the lobby does not contain this. */
  standings: ReadonlyMap<string, { toMove: Side | null; clocks: ClocksJson | null }> = $state.raw(new Map());
  /** The messages that wait for the user. */
  messages: readonly MessageJson[] = $state.raw([]);

  readonly games: readonly GameRowJson[] = $derived(club.lobby?.mine ?? []);
  readonly challenges = $derived(club.lobby?.challenges.filter((one) => one.to.name === club.me?.name) ?? []);
  readonly turns: readonly GameRowJson[] = $derived(this.games.filter((game) => this.isMyTurn(game)));

  isMyTurn(game: GameRowJson): boolean {
    return game.seat !== null && this.standings.get(game.id)?.toMove === game.seat;
  }

  #next = 0;

  async #askGames(ids: readonly string[]): Promise<void> {
    const from = this.#next < ids.length ? this.#next : 0;
    const asked = ids.slice(from, from + MAX_GAMES);
    this.#next = from + MAX_GAMES;
    const found = await Promise.all(
      asked.map(async (id) => {
        try {
          const { time, status, seat } = this.games.find((one) => one.id === id) ?? {};
          if (status === "adjourned") {
            const by = (await api.game(id)).offers?.adjourn ?? seat;
            return [id, { toMove: by === seat ? null : (seat ?? null), clocks: null }] as const;
          }
          const [view, clocks] = await Promise.all([api.view(id), time?.kind === "unlimited" ? null : api.game(id).then((one) => one.clocks)]);
          return [id, { toMove: view.to_move, clocks }] as const;
        } catch {
          // The game has just ended, or the club cannot be reached. The row is shown without the state of the game.
          return null;
        }
      }),
    );
    const known = [...this.standings].filter(([id]) => ids.includes(id) && !asked.includes(id));
    this.standings = new Map([...known, ...found.filter((one) => one !== null)]);
  }

  async askMessages(): Promise<void> {
    this.messages = await api.waiting().catch(() => this.messages);
  }

  /** Asks about games regularly, less often while the page is not seen. `shown` is the game on the screen, which knows its own turn. Returns a function that stops it. */
  watch(games: readonly string[], person: boolean, shown: string | null): () => void {
    const others = games.filter((id) => id !== shown);
    if (!person) this.messages = [];
    if (others.length === 0) this.standings = new Map();
    if (others.length === 0 && !person) return () => {};
    let last = -HIDDEN_INTERVAL;
    const ask = (): void => {
      if (document.visibilityState !== "visible" && performance.now() - last < HIDDEN_INTERVAL) return;
      last = performance.now();
      if (others.length > 0) void this.#askGames(others);
      if (person) void this.askMessages();
    };
    ask();
    const timer = setInterval(ask, ASK_INTERVAL);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }
}

export const notices = new Notices();
