// A game of two people at this device. Each is a guest with a token that this device keeps. A page has one cookie, and so one
// socket, for one player; so both seats hear and speak by requests.

import * as api from "./api";
import { keepTokens } from "./settings.svelte";
import { Table } from "./table.svelte";
import type { AcceptedJson, ClientSays, InvitationJson, SaidJson, ServerSays, SessionJson, TermsJson } from "./wire";

const as = <T>(token: string | undefined, method: string, path: string, body?: unknown): Promise<T> => api.call<T>(method, `/${path}`, body, undefined, token);

/** Begins a game of two new guests, and returns its id. */
export async function begin(terms: TermsJson): Promise<string> {
  const guest = async (): Promise<string> => (await as<SessionJson>("", "POST", "guests", { token: true })).token ?? "";
  const tokens = { white: await guest(), black: await guest() };
  const { code } = await as<InvitationJson>(tokens.white, "POST", "invitations", { ...terms, color: "white", rated: false });
  const { game } = await as<AcceptedJson>(tokens.black, "POST", `invitations/${code}/accept`, {});
  keepTokens(game, tokens);
  return game;
}

/** Time in ms after which a club that could not be reached is asked again. */
const AGAIN_MS = 1000;
const wait = (): Promise<void> => new Promise((done) => setTimeout(done, AGAIN_MS));

/** Opens the table of a game from one seat. */
export function sit(id: string, token: string): { table: Table; leave: () => void } {
  const left = new AbortController();
  const table = new Table(id, say);
  let listens = false;
  function say(message: ClientSays): boolean {
    if (message.type === "watch" && !listens) void listen();
    if (message.type === "try" || message.type === "act") void send(message);
    return true;
  }

  async function listen(): Promise<void> {
    listens = true;
    while (!left.signal.aborted) {
      await hear().catch(() => {});
      if (table.missing !== null) return;
      await wait();
    }
  }
  /** Hears what is said, one message a line, until the connection ends. */
  async function hear(): Promise<void> {
    const response = await fetch(`/api/games/${api.part(id)}/heard?after=${table.last}`, { headers: { authorization: `Bearer ${token}` }, credentials: "omit", signal: left.signal });
    if (!response.ok || response.body === null) {
      await as(token, "GET", `games/${api.part(id)}`).catch((failure: unknown) => {
        if (failure instanceof api.Refused && failure.refusal.code !== "offline") table.missing = failure.refusal;
      });
      return;
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let begun = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (begun + value).split("\n");
      begun = lines.pop() ?? "";
      for (const line of lines) if (line !== "") table.hear(JSON.parse(line) as ServerSays);
    }
  }

  async function send(message: Extract<ClientSays, { type: "try" | "act" }>): Promise<void> {
    const { type, game, ...body } = message;
    while (!left.signal.aborted) {
      try {
        const said = await as<SaidJson>(token, "POST", `games/${api.part(game)}/${type === "try" ? "tries" : "acts"}`, body);
        table.hear({ type: "answer", id: body.id, game, ...said });
        return;
      } catch (failure) {
        if (!(failure instanceof api.Refused)) throw failure;
        const { code, reason = null, args = {}, retry_after_ms } = failure.refusal;
        // The same id again: the club judges it once.
        if (code === "offline") await wait();
        else return table.hear({ type: "refused", id: body.id, game, request: type, code, reason, args, retry_after_ms });
      }
    }
  }

  table.catchUp();
  return { table, leave: () => left.abort() };
}
