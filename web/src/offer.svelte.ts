// What the user offers to play: the terms in the form of the lobby, remembered from the last game, and how a game is begun with them.

import * as api from "./api";
import { club } from "./club.svelte";
import { t } from "./language.svelte";
import { go } from "./router.svelte";
import { keepGame, keptGame } from "./settings.svelte";
import { program } from "./words/programs";
import { rulesets } from "./rulesets";
import type { CheckedRulesetJson, ColorWish, ProgramJson, TermsJson, TimeControlJson } from "./wire";

/** The time controls of the form; null: the user writes minutes and seconds. */
export const TIMES: readonly (TimeControlJson | null)[] = [
  { kind: "unlimited" },
  { kind: "fischer", initial: 300, increment: 5 },
  { kind: "fischer", initial: 900, increment: 10 },
  { kind: "fischer", initial: 1800, increment: 20 },
  { kind: "plain", initial: 1200 },
  { kind: "days", initial: 1, increment: 1, cap: 1 },
  { kind: "days", initial: 3, increment: 3, cap: 3 },
  { kind: "days", initial: 7, increment: 7, cap: 7 },
  { kind: "days", initial: 30, increment: 1, cap: 45 },
  null,
];
/** The value of `rules` for the user's own rules. */
export const OWN = "own";
const START_HERE = "wild16";
/** The program for a first game: one that a beginner can beat. */
const FIRST_PARTNER = "level-1";
const FIRST: TermsJson = { rules: START_HERE, custom: null, time: { kind: "unlimited" }, rated: false, color: "white" };

const between = (value: number | null, least: number, most: number): boolean => value !== null && value >= least && value <= most;

class Offer {
  readonly #last = keptGame();
  rules = $state(this.#last !== null && rulesets.includes(this.#last.rules) ? this.#last.rules : START_HERE);
  /** The built-in ruleset that was chosen last. */
  named = $state(this.rules);
  own = $state.raw<{ text: string; checked: CheckedRulesetJson } | null>(null);
  choice = $state(TIMES[this.#last?.time ?? 0] == null ? 0 : (this.#last?.time ?? 0));
  /** The numbers in the fields for minutes and seconds; null if the field is empty. */
  minutes = $state<number | null>(10);
  seconds = $state<number | null>(5);
  color: ColorWish = $state(this.#last?.color ?? "any");
  /** Whether the user wants a rated game; `unrated` says why it cannot be one. */
  rated = $state(this.#last?.rated ?? false);
  /** The name of a person in the form, and whether the user has chosen it on another screen. */
  opponent = $state("");
  chosen = false;
  #partner = $state(this.#last?.program ?? FIRST_PARTNER);

  /** Whether an action of the lobby is running, and why the last one failed. */
  busy = $state(false);
  wrong = $state<{ where: "start" | "form" | "list"; why: string } | null>(null);
  /** What the page says after the user has made a seek; empty otherwise. */
  told = $state("");

  readonly time = $derived.by<TimeControlJson>(() => {
    const preset = TIMES[this.choice] ?? null;
    if (preset !== null) return preset;
    const initial = Math.round((this.minutes ?? 0) * 60);
    const increment = Math.round(this.seconds ?? 0);
    return increment > 0 ? { kind: "fischer", initial, increment } : { kind: "plain", initial };
  });
  /** Why the game cannot be rated; null if it can. */
  readonly unrated = $derived(club.me?.kind !== "person" ? "guest" : this.rules === OWN ? "custom" : null);
  readonly terms = $derived<TermsJson>({
    rules: this.rules === OWN ? (this.own?.checked.ruleset.id ?? "") : this.rules,
    custom: this.rules === OWN ? (this.own?.text ?? "") : null,
    time: this.time,
    rated: this.rated && this.unrated === null,
    color: this.color,
  });
  /** What must be corrected before these terms can be offered; null if they can be offered. */
  readonly amiss = $derived.by<{ field: "minutes" | "seconds" | null; why: string } | null>(() => {
    if (this.rules === OWN && this.own === null) return { field: null, why: t("lobby-form-unread") };
    if (this.time.kind === "days" && club.me?.kind !== "person") return { field: null, why: t("lobby-form-days-guest") };
    if (TIMES[this.choice] !== null) return null;
    if (!between(this.minutes, 0.5, 180)) return { field: "minutes", why: t("lobby-form-wrong-minutes") };
    if (!between(this.seconds ?? 0, 0, 180)) return { field: "seconds", why: t("lobby-form-wrong-seconds") };
    return null;
  });
  /** The program of the first game, or of the last one; undefined if the club has no program. */
  readonly partner = $derived(this.#partnerOf(club.lobby?.programs ?? []));

  #partnerOf(programs: readonly ProgramJson[]): ProgramJson | undefined {
    return [this.#partner, FIRST_PARTNER].map((name) => programs.find((one) => one.name === name)).find((one) => one !== undefined) ?? programs[0];
  }

  /** Runs an action, one at a time. A failure is shown at `where`. */
  async does(where: "start" | "form" | "list", what: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.wrong = null;
    this.told = "";
    this.busy = true;
    try {
      await what();
    } catch (failure) {
      this.wrong = { where, why: api.whyOf(failure) };
    }
    this.busy = false;
  }

  /** Runs an action that uses the terms. If they are invalid, shows the reason in the form instead. */
  async #offers(what: () => Promise<void>): Promise<void> {
    if (this.amiss !== null) {
      this.wrong = { where: "form", why: this.amiss.why };
      return;
    }
    this.#remember();
    await this.does("form", async () => {
      await club.somebody();
      await what();
    });
  }
  #remember(): void {
    keepGame({ rules: this.named, time: TIMES[this.choice] === null ? 0 : this.choice, color: this.color, program: this.#partner, rated: this.rated });
  }

  /** Begins a game against the usual program: a first game with the simplest terms, or one like the last. */
  async playNow(isFirst: boolean): Promise<void> {
    if (!isFirst && this.amiss !== null) this.wrong = { where: "start", why: this.amiss.why };
    else
      await this.does("start", async () => {
        await club.somebody();
        const partner = this.#partnerOf(club.lobby?.programs ?? (await api.lobby()).programs);
        if (partner === undefined) throw new Error(t("lobby-no-program"));
        this.#partner = partner.name;
        await this.#challenge(partner.name, isFirst ? FIRST : this.terms);
        this.#remember();
      });
  }
  async #challenge(to: string, terms: TermsJson): Promise<void> {
    const { game } = await api.challenge(to, terms);
    if (game !== null) go(`/game/${game}`);
    else if (club.lobby?.programs.some((one) => one.name === to)) throw new Error(t("lobby-no-answer", { name: program(to).title }));
  }
  challenge(to: string): Promise<void> {
    return this.#offers(async () => {
      await this.#challenge(to, this.terms);
      this.opponent = "";
    });
  }
  playProgram(name: string): Promise<void> {
    this.#partner = name;
    return this.challenge(name);
  }
  /** Accepts an open challenge, or makes one. */
  seek(open?: string): Promise<void> {
    return this.#offers(async () => {
      if (open !== undefined) return go(`/game/${(await api.acceptSeek(open)).game}`);
      await api.seek(this.terms);
      this.told = t("lobby-form-found");
    });
  }
  /** Begins a game with somebody at this device. */
  async share(): Promise<void> {
    if (this.amiss !== null) this.wrong = { where: "form", why: this.amiss.why };
    else await this.does("form", async () => go(`/game/${await (await import("./device")).begin(this.terms)}`));
  }
  invite(): Promise<void> {
    return this.#offers(async () => go(`/invitation/${(await api.invite(this.terms)).code}`));
  }
}

export const offer = new Offer();
