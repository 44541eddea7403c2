// A problem or a lesson, which one person plays alone: each request holds all attempts, and the club
// answers with everything that was heard.

import { tick, untrack } from "svelte";
import * as api from "./api";
import { t } from "./language.svelte";
import { readBoard, type Square } from "./men";
import { nameOf, namesBy } from "./notation";
import { joined, saidTo } from "./said";
import { settings } from "./settings.svelte";
import { play, soundsOf } from "./sound";
import type { Said } from "./table.svelte";
import { between, inWords, promotionOf } from "./tries";
import type { ProblemJson, Side } from "./wire";
import { causeText } from "./words/causes";

type Played = Pick<ProblemJson, "attempts" | "hearings" | "view" | "choices" | "outcome">;

interface Asked<T> {
  /** Asks the club for the state after some attempts, and after a new one. */
  ask: (attempts?: readonly string[], attempt?: string) => Promise<T>;
  seatOf: (now: T) => Side;
  /** Why no attempt is made yet; null if one is. */
  before?: () => string | null;
  /** Called after each attempt; returns what is said about the end. */
  after: (now: T) => string;
}

export class Solo<T extends Played> {
  readonly #asked: Asked<T>;
  now: T | null = $state.raw(null);
  /** The states before each attempt. */
  earlier: readonly T[] = $state.raw([]);
  waiting: string | null = $state(null);
  said: Said | null = $state.raw(null);
  /** Why there is nothing to play. */
  missing: string | null = $state(null);
  /** Why the last text was no attempt. */
  unknown: string | null = $state(null);
  /** The moves between which the user must choose a man. */
  becoming: readonly string[] | null = $state.raw(null);
  revision = $state(0);
  spoken: readonly { at: number; text: string }[] = $state.raw([]);
  #count = 0;
  #attempts: Promise<void> = Promise.resolve();

  readonly seat: Side = $derived.by(() => (this.now === null ? "white" : this.#asked.seatOf(this.now)));
  readonly view = $derived.by(() => this.now?.view ?? null);
  readonly men = $derived.by(() => readBoard(this.view?.men ?? ""));
  readonly own: ReadonlySet<Square> = $derived.by(() => new Set(this.men.map((one) => one.square)));
  readonly isOpen = $derived.by(() => this.now?.outcome === "open");
  readonly begins = $derived.by(() => this.earlier.length === 0);
  readonly names = $derived.by(() => namesBy(this.now?.hearings ?? [], this.seat, settings.notation));
  readonly last = $derived.by(() => this.now?.hearings.at(-1));
  readonly lastWords = $derived.by(() => this.#wordsOf(this.last));
  /** What was heard between the last attempt and the last hearing; after the end, with the last hearing. */
  readonly earlierWords = $derived.by(() => {
    const since = this.earlier.at(-1)?.hearings.length ?? this.now?.hearings.length ?? 0;
    return (this.now?.hearings ?? []).slice(since, this.isOpen ? -1 : undefined).flatMap((one) => this.#wordsOf(one));
  });
  readonly refused = $derived.by(() => (this.isOpen ? this.view?.refused.at(-1) : undefined));

  constructor(asked: Asked<T>, opened: (now: T) => void) {
    this.#asked = asked;
    asked.ask().then(
      (found) => {
        this.now = found;
        opened(found);
      },
      (failure: unknown) => (this.missing = api.whyOf(failure)),
    );
  }

  #wordsOf(hearing: T["hearings"][number] | undefined): ReturnType<typeof saidTo> {
    return hearing === undefined || this.now === null ? [] : saidTo(hearing.heard, { seat: this.seat, choices: this.now.choices, names: this.names.get(hearing.n) });
  }

  /** The name of an attempt, as the user writes moves. */
  shortOf(text: string): string {
    return settings.notation === "coordinates" ? inWords(text) : nameOf(text, this.men, this.seat, settings.notation);
  }

  speak(text: string): void {
    if (text !== "") this.spoken = [...untrack(() => this.spoken).slice(-3), { at: (this.#count += 1), text }];
  }

  /** Makes an attempt, after those that are not answered yet. */
  attempt(text: string): Promise<void> {
    return (this.#attempts = this.#attempts.then(() => this.#attempt(text)));
  }

  async #attempt(text: string): Promise<void> {
    const before = this.now;
    if (before === null || !this.isOpen) return;
    const not = this.#asked.before?.() ?? null;
    if (not !== null) return this.says(not);
    this.waiting = text;
    this.unknown = null;
    try {
      const after = await this.#asked.ask(before.attempts, text);
      this.earlier = [...this.earlier, before];
      this.now = after;
      const fresh = after.hearings.slice(before.hearings.length).flatMap(({ heard }) => heard);
      play(...soundsOf(fresh, this.seat));
      this.said = { text, answer: "", cause: null, act: false, refused: null };
      const { refused } = this;
      const why = refused === undefined ? "" : causeText(refused.cause, after.choices);
      this.speak([fresh.length === 0 ? "" : joined(this.lastWords), why, this.#asked.after(after)].filter((one) => one !== "").join(" "));
    } catch (failure) {
      const refusal = failure instanceof api.Refused ? failure.refusal : null;
      const options = refusal?.reason === "ambiguous" ? promotionOf((refusal.args.fits ?? "").split(" ")) : [];
      if (options.length > 0) this.becoming = options;
      this.said = { text, answer: "", cause: null, act: false, refused: refusal };
      this.says(api.whyOf(failure));
    } finally {
      this.waiting = null;
      this.revision += 1;
    }
  }

  /** Says why something is no attempt. */
  says(why: string): void {
    this.unknown = why;
    this.speak(why);
  }

  /** Takes the last attempt back, or all. */
  again(all = false): void {
    const before = all ? this.earlier[0] : this.earlier.at(-1);
    if (before === undefined) return;
    this.earlier = all ? [] : this.earlier.slice(0, -1);
    this.now = before;
    this.said = this.unknown = null;
    this.revision += 1;
    this.speak(t(all ? "problems-begun-spoken" : "problems-again-spoken"));
  }

  /** A man was moved on the board; `select` selects the own man on a square. */
  moved(from: Square, to: Square, select: (square: Square) => void): void {
    this.revision += 1;
    if (!this.own.has(from) || this.waiting !== null || !this.isOpen) return;
    const options = between(this.view?.tries ?? [], from, to);
    if (options.length === 1) void this.attempt(options[0]!);
    else if (options.length > 1) this.becoming = options;
    else if (this.own.has(to)) void tick().then(() => select(to));
    else this.says(t("problems-impossible", { move: this.shortOf(from + to) }));
  }
}
