// The state of the club in this page: the signed-in account, the lobby, the tables, the socket.

import { PROTOCOL, type ClientSays, type LobbyJson, type PlayerJson, type RunningGames, type ServerSays } from "./wire";
import * as api from "./api";
import { changedLobby } from "./lobby";
import { ClubSocket } from "./socket";
import type { Table } from "./table.svelte";
import { program } from "./words/programs";

/** Loads the page again if the club speaks another version of the messages than this page; once for each version. */
function reloads(version: number): boolean {
  try {
    if (version === PROTOCOL || sessionStorage.getItem("protocol") === String(version)) return false;
    sessionStorage.setItem("protocol", String(version));
  } catch {
    return false;
  }
  location.reload();
  return true;
}

/** The name of deleted accounts in finished games. */
export const DELETED = "deleted-account";

class Club {
  me: PlayerJson | null = $state.raw(null);
  /**
   * Whether the page knows who the user is: the club has sent the user's account, or has said that
   * the user is a visitor.
   */
  known = $state(false);
  link: "opening" | "open" | "lost" = $state("opening");
  lobby: LobbyJson | null = $state.raw(null);
  /** The server's time minus `performance.now()`, in ms. Nobody can set that clock. */
  offset = $state(Date.now() - performance.now());
  /** The server's time in ms, updated ten times per second. */
  now = $state(Date.now());

  #socket: ClubSocket;
  #tables = new Map<string, Table>();
  /** Ids of the games that this page has shown. */
  readonly shown = new Set<string>();
  #wantsLobby = 0;
  /** The number of messages with changes of the lobby that came after the last message with the whole lobby. */
  #lobbyChanges = 0;
  /** Tells other tabs that the user has changed. */
  #tabs = new BroadcastChannel("who");

  constructor() {
    this.#socket = new ClubSocket({
      opened: () => {},
      lost: () => {
        this.link = "lost";
      },
      heard: (message) => this.#heard(message),
    });
    this.#tabs.onmessage = () => this.#socket.renew();
    setInterval(() => {
      this.now = performance.now() + this.offset;
    }, 100);
  }

  open(): void {
    this.#socket.renew();
  }

  /** Subscribes to the lobby. Call the returned function to unsubscribe. */
  listenToLobby(): () => void {
    this.#wantsLobby += 1;
    if (this.link === "open") this.#askLobby();
    return () => {
      this.#wantsLobby -= 1;
      if (this.#wantsLobby === 0) this.#socket.say({ type: "lobby", on: false });
    };
  }

  /** The name of a player as the page shows it. For a program this is its title, such as “Level 1 (beginner)”. */
  nameOf(player: PlayerJson): string {
    return player.kind === "program" ? program(player.name).title : player.name;
  }

  /** The same with a link to the profile, for `Rich`. A deleted account has no profile. */
  linkOf(player: PlayerJson): string {
    return player.name === DELETED ? player.name : `[${this.nameOf(player)}](/@/${player.name})`;
  }

  readonly say = (message: ClientSays): boolean => this.#socket.say(message);

  /** Opens a table, as a player or as a spectator. */
  watch(table: Table): Table {
    this.#tables.set(table.id, table);
    this.shown.add(table.id);
    if (this.link === "open") table.catchUp();
    return table;
  }

  /** Closes a table, unless another one of the same game was opened since. */
  leave(table: Table): void {
    if (this.#tables.get(table.id) !== table) return;
    this.#tables.delete(table.id);
    this.#socket.say({ type: "leave", game: table.id });
  }

  /** Returns the user's account; a visitor becomes a guest. */
  async somebody(): Promise<PlayerJson> {
    if (!this.known) this.#is((await api.me()).you);
    if (this.me !== null) return this.me;
    const { you } = await api.guest();
    this.#is(you);
    this.#socket.renew();
    this.#tabs.postMessage("new");
    return you;
  }

  async signIn(name: string, password: string): Promise<void> {
    this.#is((await api.signIn(name, password)).you);
    this.#renewAll();
  }

  /** Makes an account. Returns its recovery codes, which are shown only once. */
  async register(name: string, password: string): Promise<string[]> {
    const made = await api.register(name, password);
    this.#is(made.you);
    this.#renewAll();
    return made.recovery_codes ?? [];
  }

  async recover(name: string, code: string, password: string): Promise<void> {
    this.#is((await api.recover(name, code, password)).you);
    this.#renewAll();
  }

  /** Changes the password. All sessions end; this browser gets a new session. */
  async changePassword(old: string, fresh: string): Promise<void> {
    this.#is((await api.changePassword(old, fresh)).you);
    this.#renewAll();
  }

  /** Signs out everywhere. */
  async endSessions(): Promise<void> {
    await api.endSessions();
    this.#is(null);
    this.#renewAll();
  }

  /** Deletes the account. Returns false if the club deletes it later, when its running games are over. */
  async deleteAccount(password: string | null, games: RunningGames): Promise<boolean> {
    const { deleted } = await api.deleteAccount(password, games);
    if (deleted || games === "resign") {
      this.#is(null);
      this.#renewAll();
    }
    return deleted;
  }

  async signOut(): Promise<void> {
    await api.signOut();
    this.#is(null);
    this.#renewAll();
  }

  #renewAll(): void {
    this.#forget();
    this.#socket.renew();
    this.#tabs.postMessage("new");
  }

  /** Forgets everything that was sent to the previous user. */
  #forget(): void {
    this.lobby = null;
    for (const table of this.#tables.values()) table.forget();
  }

  #is(you: PlayerJson | null): void {
    this.me = you;
    this.known = true;
  }

  /** Asks for the whole lobby. Afterwards the club sends changes. */
  #askLobby(): void {
    if (this.#wantsLobby > 0) this.#socket.say({ type: "lobby", on: true });
  }

  /** Handles the refusal of a request without an id, such as `watch`. */
  #refused(table: Table | undefined, message: Extract<ServerSays, { type: "refused" }>): void {
    const { game, code } = message;
    if (table === undefined) return;
    if (code === "invalid" && game === table.id && table.last > 0) {
      // The club has lost a hearing that this page has received. So the page forgets the table, and
      // asks for all hearings that the club has stored.
      table.forget();
      table.catchUp();
    } else if (table.game === null && ["not-found", "forbidden", "invalid"].includes(code)) table.missing = message;
  }

  #heard(message: ServerSays): void {
    switch (message.type) {
      case "welcome":
        if (reloads(message.version)) return;
        this.offset = message.now - performance.now();
        this.now = message.now;
        if (this.me?.name !== message.you?.name) this.#forget();
        this.#is(message.you);
        this.link = "open";
        if (this.#wantsLobby > 0) this.#askLobby();
        for (const table of this.#tables.values()) table.catchUp();
        return;
      case "lobby":
        this.lobby = message.lobby;
        this.#lobbyChanges = 0;
        return;
      case "lobby-changes":
        // The page does not have the lobby yet, or it has missed a message with changes. So it asks
        // for the whole lobby.
        if (this.lobby === null || message.changes.n !== this.#lobbyChanges + 1) {
          this.#askLobby();
          return;
        }
        this.lobby = changedLobby(this.lobby, message.changes);
        this.#lobbyChanges += 1;
        return;
      case "game":
        this.#tables.get(message.game.id)?.hear(message);
        return;
      case "heard":
      case "view":
      case "message":
      case "answer":
        this.#tables.get(message.game)?.hear(message);
        return;
      case "refused":
        for (const table of this.#tables.values()) {
          if (table.waitsFor(message.id)) return table.hear(message);
        }
        if (message.id !== null) return;
        // A `watch` has no id, but its refusal names the game. If the page has an address that is not
        // the id of a game, the refusal names no game. Then the refusal may concern each table.
        if (typeof message.game === "string") this.#refused(this.#tables.get(message.game), message);
        else for (const table of this.#tables.values()) this.#refused(table, message);
        return;
      case "bye":
      case "pong":
        return;
    }
  }
}

export const club = new Club();
