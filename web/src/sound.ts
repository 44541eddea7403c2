// A sound for each kind of call, made of tones. Every sound has a text with the same meaning.

import type { HeardJson, Side } from "./wire";
import { settings } from "./settings.svelte";
import { announcesTry } from "./turns";

type Note = { at: number; pitch: number; long: number; wave: OscillatorType; loud: number };
export type Sound = "yours" | "theirs" | "no" | "capture" | "check" | "tries" | "asked" | "offer" | "over";

const note = (at: number, pitch: number, long: number, wave: OscillatorType = "sine", loud = 0.12): Note => ({
  at,
  pitch,
  long,
  wave,
  loud,
});

const SOUNDS: Record<Sound, Note[]> = {
  yours: [note(0, 520, 0.09, "triangle")],
  theirs: [note(0, 392, 0.1, "triangle"), note(0.1, 523, 0.16, "triangle")],
  no: [note(0, 165, 0.12, "square", 0.05), note(0.15, 139, 0.2, "square", 0.05)],
  capture: [note(0, 110, 0.16, "triangle", 0.3), note(0.02, 220, 0.08, "square", 0.05)],
  check: [note(0, 659, 0.1), note(0.11, 880, 0.2)],
  tries: [note(0, 988, 0.07), note(0.09, 988, 0.07)],
  asked: [note(0, 740, 0.1)],
  offer: [note(0, 587, 0.12), note(0.14, 587, 0.12)],
  over: [note(0, 262, 0.5, "triangle"), note(0.02, 330, 0.5, "triangle"), note(0.04, 392, 0.6, "triangle")],
};

let audio: AudioContext | null = null;

/** Enables sound at the first click or key, because browsers do not allow sound before. */
export function wake(): void {
  const start = (): void => {
    if (!settings.sound) return;
    audio ??= new AudioContext();
    void audio.resume();
  };
  addEventListener("pointerdown", start);
  addEventListener("keydown", start);
}

/** Time in s between two sounds of one hearing. */
const PAUSE = 0.35;

/** Plays sounds one after the other. */
export function play(...sounds: readonly Sound[]): void {
  if (!settings.sound || settings.volume === 0 || audio === null || audio.state !== "running") return;
  const notes = sounds.flatMap((sound, n) => SOUNDS[sound].map((one) => ({ ...one, at: one.at + n * PAUSE })));
  const now = audio.currentTime;
  for (const { at, pitch, long, wave, loud } of notes) {
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    tone.type = wave;
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0, now + at);
    gain.gain.linearRampToValueAtTime(Math.max(0.001, loud * settings.volume), now + at + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.001, now + at + long);
    tone.connect(gain).connect(audio.destination);
    tone.start(now + at);
    tone.stop(now + at + long + 0.02);
  }
}

/** Ranks and sounds of what can be heard. */
function soundOf(told: HeardJson, seat: Side | null): [number, Sound] | null {
  switch (told.kind) {
    case "over":
      return [9, "over"];
    case "check":
      return [8, "check"];
    case "capture":
    case "lost":
      return [7, "capture"];
    case "no":
    case "nonsense":
    case "repeat-no":
      return [6, "no"];
    case "draw-offer":
    case "draw-declined":
    case "draw-withdrawn":
      return [5, "offer"];
    case "tries":
      return announcesTry(told, seat) ? [4, "tries"] : null;
    case "any":
    case "rebuffs":
    case "recap":
      return [3, "asked"];
    case "moved":
    case "drop":
      return [2, told.by === seat ? "yours" : "theirs"];
    case "promotion":
      return [2, "theirs"];
    case "start":
    case "turn":
      return null;
  }
}

/** The sounds of a hearing, that of the most important call first. A move sounds only if nothing else does, and nothing sounds after the end of a game. */
export function soundsOf(heard: readonly HeardJson[], seat: Side | null): Sound[] {
  const all = heard.map((told) => soundOf(told, seat)).filter((one) => one !== null);
  const most = Math.max(0, ...all.map(([rank]) => rank));
  const kept = all.filter(([rank]) => rank === most || (rank > 2 && most < 9)).sort((a, b) => b[0] - a[0]);
  return [...new Set(kept.map(([, sound]) => sound))];
}
