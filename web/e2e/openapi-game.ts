// Plays a game with the client that is generated from the club's OpenAPI document.
// `openapi.test.mjs` generates `api.d.ts` beside a copy of this file, checks the types,
// and runs the copy.

import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./api.js";

/** Returns the answer; throws an error if the request was refused. */
function told<T>({ data, error }: { data?: T; error?: { refused: string; why: string } }): T {
  if (error !== undefined) throw new Error(`${error.refused}: ${error.why}`);
  if (data === undefined) throw new Error("neither an answer nor a refusal");
  return data;
}

async function guest(baseUrl: string): Promise<Client<paths>> {
  const { token } = told(await createClient<paths>({ baseUrl }).POST("/api/guests", { body: { token: true } }));
  return createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
}

/** Two guests play the shortest mate. Returns the answers to some further requests. */
export async function play(baseUrl: string) {
  const white = await guest(baseUrl);
  const black = await guest(baseUrl);
  const { code } = told(
    await white.POST("/api/invitations", {
      body: { rules: "english", time: { kind: "fischer", initial: 300, increment: 3 }, color: "white" },
    }),
  );
  const { game: id } = told(await black.POST("/api/invitations/{code}/accept", { params: { path: { code } } }));
  const path = { id };
  const answers: string[] = [];
  const say = async (player: Client<paths>, text: string) => {
    const { n } = told(await player.GET("/api/games/{id}/view", { params: { path } }));
    const body = { id: `say-${answers.length}`, after: n, text };
    answers.push(told(await player.POST("/api/games/{id}/tries", { params: { path }, body })).answer);
  };
  await say(white, "f3");
  await say(black, "e5");
  await say(white, "any");
  await say(white, "g4");
  await say(black, "exf4");
  await say(black, "Qh4");

  const { over } = told(await black.GET("/api/games/{id}", { params: { path } }));
  const heard = told(
    await black.GET("/api/games/{id}/heard", { params: { path, query: { after: 0, wait: 0 } }, parseAs: "text" }),
  );
  const finished = told(await black.GET("/api/games/{id}/finished.txt", { params: { path }, parseAs: "text" }));
  const newest = told(await white.GET("/api/games")).games;
  const before = newest[0]?.begun ?? 0;
  const older = told(await white.GET("/api/games", { params: { query: { before } } })).games;
  const refused = (await white.POST("/api/games/{id}/tries", { params: { path }, body: { id: "late", after: 0, text: "e4" } })).error;
  return { answers, over, heard, finished, newest: newest.length, older: older.length, refused };
}
