// Studies: games of files, with comments.

import type { DrawShape } from "chessground/draw";
import type { Key } from "chessground/types";
import * as api from "./api";
import { loadRefusals } from "./words/refusals";
import { Refused } from "./api";
import type { ChapterJson, OpenedFileJson, RefusedJson, StudiesJson, StudyJson } from "./wire";

export const studies = (): Promise<StudiesJson> => api.get("/studies");
export const study = (id: string): Promise<StudyJson> => api.get(`/studies/${api.part(id)}`);
/** Keeps a new study. */
export const keep = (study: StudyJson): Promise<StudyJson> => api.post("/studies", study);
/** Changes a study; without chapters it is deleted. */
export const change = (study: StudyJson): Promise<void> => api.call("PUT", `/studies/${api.part(study.id)}`, study);

/** What was heard, in the short forms of transcripts: lines, or separated by commas outside of brackets. */
export const heardOf = (text: string): string[] => text.split(/[\n,](?![^[]*\])/).map((one) => one.trim()).filter((one) => one !== "");

/** Opens a game of a file. */
export async function openFile(file: string | Blob, game: number | null, { rules = "", men = "" }: { rules?: string; men?: string }): Promise<OpenedFileJson> {
  const query = new URLSearchParams({ ...(game === null ? {} : { game: String(game) }), ...(rules === "" ? {} : { rules }), ...(men === "" ? {} : { men }) });
  const response = await fetch(`/api/studies/open?${query}`, { method: "POST", headers: { "content-type": "text/plain" }, body: file });
  const answer: unknown = await response.json();
  if (response.ok) return answer as OpenedFileJson;
  await loadRefusals();
  const told = answer as RefusedJson;
  throw new Refused({ ...told, code: told.refused });
}

/** Returns comments or drawings with another text at a step. */
export function withText(texts: ChapterJson["comments"], step: number, text: string): ChapterJson["comments"] {
  const all = { ...texts, [step]: text };
  if (text === "") delete all[step];
  return all;
}

/** The text of drawings with another circle or arrow, or without it. */
export function withShape(text: string, from: string, to: string): string {
  const [all, shape] = [text.split(" ").filter((one) => one !== ""), from === to ? from : from + to];
  return (all.includes(shape) ? all.filter((one) => one !== shape) : [...all, shape]).join(" ");
}

/** The arrows and circles of a text such as `e4 e2e4`. */
export function shapesOf(text = ""): DrawShape[] {
  const shapes = text.matchAll(/\b([a-h][1-8])([a-h][1-8])?\b/g);
  return Array.from(shapes, ([, orig, dest]) => ({ orig: orig as Key, ...(dest === undefined ? {} : { dest: dest as Key }), brush: "green" }));
}
