// A socket to the club that reconnects when the connection is lost.

import type { ClientSays, ServerSays } from "./wire";

export interface SocketHandlers {
  /** Called when the socket is open: subscribe now. */
  opened(): void;
  heard(message: ServerSays): void;
  /** Called when the connection is lost. The next attempt to connect is in `again` ms. */
  lost(again: number): void;
}

/** The interval between two pings, in ms. */
const PING_EVERY = 15_000;
/** A connection counts as lost if the club sends nothing for longer than this time, in ms. */
const SILENCE = 35_000;

export class ClubSocket {
  #handlers: SocketHandlers;
  #socket: WebSocket | null = null;
  #tries = 0;
  #again: ReturnType<typeof setTimeout> | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  #lastHeard = 0;

  constructor(handlers: SocketHandlers) {
    this.#handlers = handlers;
    addEventListener("online", () => {
      // The network has changed, so a connection that was begun before would not work.
      this.#socket?.close();
      this.renew();
    });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible" && this.#socket === null) this.renew();
    });
  }

  /** Opens a new connection, at the start or because the user has changed. */
  renew(): void {
    clearTimeout(this.#again);
    const old = this.#socket;
    this.#socket = null;
    // A socket that is still connecting is closed only after it has opened, because browsers would
    // log an error otherwise.
    if (old?.readyState === WebSocket.CONNECTING) old.addEventListener("open", () => old.close());
    else old?.close();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/socket`);
    this.#socket = socket;
    this.#lastHeard = performance.now();
    clearInterval(this.#beat);
    this.#beat = setInterval(() => {
      if (performance.now() - this.#lastHeard > SILENCE) this.#fail(socket);
      else this.say({ type: "ping" });
    }, PING_EVERY);
    socket.addEventListener("open", () => {
      if (socket === this.#socket) this.#handlers.opened();
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.#socket || typeof event.data !== "string") return;
      this.#lastHeard = performance.now();
      const message = JSON.parse(event.data) as ServerSays;
      if (message.type === "welcome") this.#tries = 0;
      this.#handlers.heard(message);
    });
    socket.addEventListener("close", () => this.#fail(socket));
  }

  /** Sends a message if the socket is open. Returns whether the message was sent. */
  say(message: ClientSays): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #fail(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    clearInterval(this.#beat);
    socket.close();
    const again = Math.min(8000, 400 * 2 ** this.#tries) * (0.7 + Math.random() * 0.6);
    this.#tries += 1;
    this.#again = setTimeout(() => this.renew(), again);
    this.#handlers.lost(again);
  }
}
