// The club's HTTP API, as the page uses it.

import { t } from "./language.svelte";
import { loadRefusals, refusalText } from "./words/refusals";
import type { Refusal } from "./words/refusals";
import type {
  AcceptedJson,
  BeliefJson,
  BeliefProgressJson,
  ChallengedJson,
  CheckedRulesetJson,
  DeletedJson,
  FinishedJson,
  MateJson,
  GameJson,
  GamesJson,
  InvitationJson,
  LeaderboardJson,
  LobbyJson,
  MeJson,
  MessageJson,
  MessagesJson,
  MutesJson,
  NewPushJson,
  OwnAccountJson,
  OwnSessionJson,
  OwnSessionsJson,
  PersonJson,
  PlayerJson,
  PushJson,
  RecoveryCodesJson,
  RefusedJson,
  ReportJson,
  RulesetJson,
  RunningGames,
  SeatViewJson,
  SeekJson,
  SessionJson,
  Side,
  TalkGroupJson,
  TermsJson,
  RetryJson,
  TurnsJson,
  WrittenJson,
} from "./wire";

/** Error: the club refused a request or could not be reached. The message is for the user. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, text = refusalText(refusal)) {
    super(text);
    this.refusal = refusal;
  }
}
const plain = (code: Refusal["code"]): Refusal => ({ code, reason: null, args: {}, retry_after_ms: null });

/** Sends a request as the account of the cookie, or of a token; with an empty token, as a visitor. */
export async function call<T>(method: string, path: string, body?: unknown, signal?: AbortSignal, token?: string): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api${path}`, {
      method,
      credentials: token === undefined ? "same-origin" : "omit",
      ...(signal === undefined ? {} : { signal }),
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Refused(plain("offline"));
  }
  const text = await response.text();
  if (response.ok) return (text === "" ? undefined : JSON.parse(text)) as T;
  let told: RefusedJson | undefined;
  try {
    told = JSON.parse(text) as RefusedJson;
  } catch {
    // The answer is not JSON. So it does not come from the club but from a program in between, such
    // as a proxy.
  }
  await loadRefusals();
  throw told === undefined ? new Refused(plain("unavailable"), t("site-strange-answer", { status: response.status })) : new Refused({ ...told, code: told.refused });
}

export const get = <T>(path: string): Promise<T> => call<T>("GET", path);
export const post = <T>(path: string, body: unknown = {}): Promise<T> => call<T>("POST", path, body);
export const remove = (path: string): Promise<void> => call<void>("DELETE", path);
export const part = encodeURIComponent;

export const me = (): Promise<MeJson> => get("/me");
export const guest = (): Promise<SessionJson> => post("/guests");
export const register = (name: string, password: string): Promise<SessionJson> =>
  post("/accounts", { name, password });
export const signIn = (name: string, password: string): Promise<SessionJson> =>
  post("/sessions", { name, password });
export const recover = (name: string, code: string, password: string): Promise<SessionJson> =>
  post("/recovery", { name, code, password });
export const changePassword = (old: string, fresh: string): Promise<SessionJson> =>
  post("/password", { old, new: fresh });
export const renewCodes = async (password: string): Promise<string[]> =>
  (await post<RecoveryCodesJson>("/recovery-codes", { password })).recovery_codes;
export const ownAccount = (): Promise<OwnAccountJson> => get("/account");
export const sessions = async (): Promise<OwnSessionJson[]> => (await get<OwnSessionsJson>("/sessions")).sessions;
export const newToken = (label: string): Promise<SessionJson> => post("/tokens", { label });
export const endSession = (id: string): Promise<void> => remove(`/sessions/${part(id)}`);
export const endSessions = (): Promise<void> => remove("/sessions");
export const deleteAccount = (password: string | null, games: RunningGames): Promise<DeletedJson> =>
  post("/account/delete", { password, games });
export const keepAccount = (): Promise<void> => post("/account/keep");
/** The address of the file with everything that the club stores about the user. */
export const ownData = "/api/account/export";
/** Notices on this device. */
export const notices = (): Promise<PushJson> => get("/push");
export const subscribe = (one: NewPushJson): Promise<void> => call("PUT", "/push", one);
export const unsubscribe = (): Promise<void> => remove("/push");
export const signOut = (): Promise<void> => remove("/session");

export const lobby = (): Promise<LobbyJson> => get("/lobby");
export const seek = (terms: TermsJson): Promise<SeekJson> => post("/seeks", terms);
export const acceptSeek = (id: string): Promise<AcceptedJson> => post(`/seeks/${part(id)}/accept`);
export const withdrawSeek = (id: string): Promise<void> => remove(`/seeks/${part(id)}`);
export const challenge = (to: string, terms: TermsJson): Promise<ChallengedJson> =>
  post("/challenges", { to, terms });
export const acceptChallenge = (id: string): Promise<AcceptedJson> =>
  post(`/challenges/${part(id)}/accept`);
export const declineChallenge = (id: string): Promise<void> => remove(`/challenges/${part(id)}`);
export const invite = (terms: TermsJson): Promise<InvitationJson> => post("/invitations", terms);
export const invitation = (code: string): Promise<InvitationJson> => get(`/invitations/${part(code)}`);
/** Writes a message to a group at a game. */
export const write = (game: string, text: string, group: TalkGroupJson): Promise<WrittenJson> =>
  post(`/games/${part(game)}/messages`, { text, group });
export const waiting = async (): Promise<MessageJson[]> => (await get<MessagesJson>("/messages")).messages;
export const removeWaiting = (last: number): Promise<void> => remove(`/messages?last=${last}`);
export const leaveMessage = (to: string, text: string): Promise<WrittenJson> => post("/messages", { to, text });
/** The names of the accounts that the user mutes. */
export const mutes = async (): Promise<string[]> => (await get<MutesJson>("/mutes")).muted.map((one) => one.name);
export const mute = (name: string): Promise<void> => call<void>("PUT", `/mutes/${part(name)}`);
/** Reports an account to the operator. */
export const report = (name: string, text: string): Promise<void> => post<void>("/reports", { name, game: null, text } satisfies ReportJson);
export const unmute = (name: string): Promise<void> => remove(`/mutes/${part(name)}`);

export const acceptInvitation = (code: string): Promise<AcceptedJson> =>
  post(`/invitations/${part(code)}/accept`);
export const withdrawInvitation = (code: string): Promise<void> => remove(`/invitations/${part(code)}`);

export const game = (id: string): Promise<GameJson> => get(`/games/${part(id)}`);
/** What the user's seat knows of a game. */
export const view = (id: string): Promise<SeatViewJson> => get(`/games/${part(id)}/view`);
/** Finished games, newest first; without a player those of the user. */
export const finishedGames = (query = ""): Promise<GamesJson> => get(`/games${query}`);
export const person = (name: string): Promise<PersonJson> => get(`/people/${part(name)}`);
/** Sets what the user says in the profile. */
export const setConditional = (game: string, id: string, text: string): Promise<void> => call("PUT", `/games/${part(game)}/conditional`, { id, text });
export const setAbout = (text: string): Promise<void> => call("PUT", "/account/about", { text });
export const leaderboard = (query: string): Promise<LeaderboardJson> => get(`/leaderboard${query}`);
/** Time in ms after which a busy club is asked again for a finished game. */
const FINISHED_RETRY = 2000;
/** The whole game, after its end. */
export const finished = (game: string): Promise<FinishedJson> =>
  get<FinishedJson>(`/games/${part(game)}/finished.json`).catch((failure: unknown) => {
    if (!(failure instanceof Refused) || !["unavailable", "offline"].includes(failure.refusal.code)) throw failure;
    return new Promise((asked) => setTimeout(() => asked(finished(game)), FINISHED_RETRY));
  });
/** What a player of a finished game could know. The server computes it at the first request. */
export const belief = (game: string, seat: Side, signal: AbortSignal): Promise<BeliefJson> => call("GET", `/games/${part(game)}/belief/${seat}`, undefined, signal);
/** Whether a player of a finished game could force mate at a moment. */
export const mate = (game: string, seat: Side, moment: number, moves: number): Promise<MateJson> => get(`/games/${part(game)}/mate/${seat}/${moment}?moves=${moves}`);
/** What each turn of a player of a finished game was worth. */
export const turns = (game: string, seat: Side, signal: AbortSignal): Promise<TurnsJson> => call("GET", `/games/${part(game)}/turns/${seat}`, undefined, signal);
export const turnsProgress = (game: string, seat: Side): Promise<BeliefProgressJson> => get(`/games/${part(game)}/turns/${seat}/progress`);
/** A turn of a finished game before its first attempt, and what another attempt would have been worth. */
export const retry = (game: string, seat: Side, turn: number, attempt?: string): Promise<RetryJson> =>
  get(`/games/${part(game)}/turns/${seat}/${turn}${attempt === undefined ? "" : `?${new URLSearchParams({ try: attempt })}`}`);
/** How far this computation is. */
export const beliefProgress = (game: string, seat: Side): Promise<BeliefProgressJson> => get(`/games/${part(game)}/belief/${seat}/progress`);
export const download = (game: string, form: "pgn" | "txt" | "json"): string =>
  `/api/games/${part(game)}/finished.${form}`;

/** The picture of a moment, from a seat or from the umpire's. */
export const picture = (game: string, step: number, seat: Side | null): string => `/api/games/${part(game)}/moments/${step}.svg?seat=${seat ?? "umpire"}`;

let rulesets: Promise<RulesetJson[]> | null = null;

/** All built-in rulesets. They are requested only once. */
export function rules(): Promise<RulesetJson[]> {
  rulesets ??= get<RulesetJson[]>("/rules?texts=false").catch((why: unknown) => {
    rulesets = null;
    throw why;
  });
  return rulesets;
}

export const ruleset = (id: string): Promise<RulesetJson> => get(`/rules/${part(id)}`);

const read = new Map<string, Promise<CheckedRulesetJson>>();

/** The meaning of a custom ruleset, and how it differs from its base; requested once for each text. */
export function readRuleset(text: string): Promise<CheckedRulesetJson> {
  const known = read.get(text);
  if (known !== undefined) return known;
  const answer = post<CheckedRulesetJson>("/rules/check", { text });
  if (read.size > 50) read.clear();
  read.set(text, answer);
  // The refusal of an invalid text is kept, because it does not change. Other failures are
  // forgotten, so that the next call sends the request again.
  answer.catch((why: unknown) => {
    if (!(why instanceof Refused) || why.refusal.code !== "invalid") read.delete(text);
  });
  return answer;
}

/** The message about a failure for the user. */
export const whyOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message : t("site-unknown-error");

export const isProgram = (player: PlayerJson): boolean => player.kind === "program";
