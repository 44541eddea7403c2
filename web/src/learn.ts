// The club's lessons; which of them the user has done, kept on this device.

import { get, part } from "./api";
import { queryOf } from "./problems";
import type { LessonJson, LessonsJson } from "./wire";

export const lessons = async (): Promise<string[]> => (await get<LessonsJson>("/lessons")).lessons;
/** A lesson after some attempts, and after a new one. */
export const lesson = (id: string, attempts?: readonly string[], attempt?: string): Promise<LessonJson> => get(`/lessons/${part(id)}?${queryOf(attempts, attempt)}`);

const KEY = "lessons";

export function done(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

export function keepDone(id: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...new Set([...done(), id])]));
  } catch {
    // It cannot be stored.
  }
}
