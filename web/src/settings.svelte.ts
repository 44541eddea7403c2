// The user's settings on this device.

/** How moves are written. */
export type Notation = "san" | "coordinates" | "descriptive";
export const NOTATIONS: readonly Notation[] = ["san", "coordinates", "descriptive"];

export type Theme = "auto" | "light" | "dark";

const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

const write = (key: string, value: string): void => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The setting cannot be stored; it is in force until the page is closed.
  }
};

const kept = read("theme");

export const settings: { theme: Theme; sound: boolean; keys: boolean; knowsNo: boolean; notation: Notation } = $state({
  theme: kept === "light" || kept === "dark" ? kept : "auto",
  sound: read("sound") !== "off",
  /** Whether single keys are commands at the table. */
  keys: read("keys") !== "off",
  /** Whether the user has seen what to do after a "no". */
  knowsNo: read("knows-no") === "yes",
  /** How the user's own moves are written. */
  notation: NOTATIONS.find((one) => one === read("notation")) ?? "san",
});

const night = matchMedia("(prefers-color-scheme: dark)");
night.addEventListener("change", dress);

/** Sets the colours that the user has chosen, or those of the device. */
export function dress(): void {
  const auto = night.matches ? "dark" : "light";
  document.documentElement.dataset.theme = settings.theme === "auto" ? auto : settings.theme;
}

export function setTheme(theme: Theme): void {
  settings.theme = theme;
  write("theme", theme);
  dress();
}

export function setSound(on: boolean): void {
  settings.sound = on;
  write("sound", on ? "on" : "off");
}

export function setKeys(on: boolean): void {
  settings.keys = on;
  write("keys", on ? "on" : "off");
}

export function setNotation(notation: Notation): void {
  settings.notation = notation;
  write("notation", notation);
}

export function learnNo(): void {
  settings.knowsNo = true;
  write("knows-no", "yes");
}

/** The height of the user's lists in the lobby at the last visit, in pixels. */
export const keptHeight = (): number => Math.min(2000, Number(read("lobby-lists") ?? 0) || 0);
export const keepHeight = (height: number): void => write("lobby-lists", String(height));

/** The last custom ruleset that the club could read. */
export const keptFile = (): string | null => read("own-rules");
export const keepFile = (text: string): void => write("own-rules", text);

/** The ruleset and the time of the last offer: the id of a built-in ruleset, and the place in the list of times. */
export const keptTerms = (): { rules: string | null; time: number } => ({ rules: read("last-rules"), time: Number(read("last-time") ?? 0) || 0 });
export function keepTerms(rules: string, time: number): void {
  write("last-rules", rules);
  write("last-time", String(time));
}
