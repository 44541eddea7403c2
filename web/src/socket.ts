// One socket to the club, kept open: it comes back by itself.

import type { ClientSays, ServerSays } from "./wire";

export interface SocketHandlers {
  /** The socket is open: say what you want to hear. */
  opened(): void;
  heard(message: ServerSays): void;
  /** It is lost; it will be tried again in so many milliseconds. */
  lost(again: number): void;
}

const PING_EVERY = 15_000;
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
      // The network is another one: a connection that was being opened leads nowhere.
      this.#socket?.close();
      this.renew();
    });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible" && this.#socket === null) this.renew();
    });
  }

  /** Opens it anew: at the start, or because one is somebody else now. */
  renew(): void {
    clearTimeout(this.#again);
    const old = this.#socket;
    this.#socket = null;
    // One that does not stand yet is hung up as soon as it does: browsers complain aloud of less.
    if (old?.readyState === WebSocket.CONNECTING) old.addEventListener("open", () => old.close());
    else old?.close();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/socket`);
    this.#socket = socket;
    this.#lastHeard = Date.now();
    clearInterval(this.#beat);
    this.#beat = setInterval(() => {
      if (Date.now() - this.#lastHeard > SILENCE) this.#fail(socket);
      else this.say({ type: "ping" });
    }, PING_EVERY);
    socket.addEventListener("open", () => {
      if (socket === this.#socket) this.#handlers.opened();
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.#socket || typeof event.data !== "string") return;
      this.#lastHeard = Date.now();
      const message = JSON.parse(event.data) as ServerSays;
      if (message.type === "welcome") this.#tries = 0;
      this.#handlers.heard(message);
    });
    socket.addEventListener("close", () => this.#fail(socket));
  }

  /** Says something, if anybody is there. */
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
