// The club's OpenAPI document is valid, and a generated client can play a game.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { Validator } from "@seriousme/openapi-schema-validator";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { openClub } from "./club.mjs";

const HERE = new URL("./", import.meta.url).pathname;

async function documentOf(club) {
  const answer = await fetch(`${club.url}/api/openapi.json`);
  assert.equal(answer.status, 200);
  return answer.json();
}

test("the document is valid OpenAPI 3.1", async () => {
  const club = await openClub();
  const document = await documentOf(club);
  const validator = new Validator();
  const { valid, errors } = await validator.validate(document);
  assert.ok(valid, JSON.stringify(errors, null, 2));
  assert.equal(validator.version, "3.1");
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const ids = operations.map((operation) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length, "an operationId occurs twice");
  await club.close();
});

const run = promisify(execFile);

/** Checks what a generated client was told in its game. */
function checkTold(told) {
  assert.deepEqual(told.answers, ["moved", "moved", "none", "moved", "no", "moved"]);
  assert.deepEqual(told.over, { result: "0-1", reason: "checkmate" });
  const heard = told.heard.trim().split("\n").map((line) => JSON.parse(line));
  assert.ok(heard.some((line) => line.type === "heard"), told.heard);
  assert.match(told.finished, /^black d8h4 moved/m);
}

/** Compiles a file; the output is written into the same folder. Returns the compiler's errors, one line each. */
function compiled(file) {
  const options = {
    strict: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    types: [],
  };
  const program = ts.createProgram([file], options);
  const { diagnostics } = program.emit();
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map((one) => {
    const at = one.file?.getLineAndCharacterOfPosition(one.start ?? 0);
    return `${one.file?.fileName}:${at?.line}: ${ts.flattenDiagnosticMessageText(one.messageText, "\n")}`;
  });
}

test("a TypeScript client generated from the document plays a game", async () => {
  const club = await openClub();
  // The folder is inside `node_modules`, so that Node finds the installed modules.
  const folder = mkdtempSync(join(HERE, "../node_modules/.openapi-"));
  try {
    writeFileSync(join(folder, "api.d.ts"), astToString(await openapiTS(await documentOf(club))));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    copyFileSync(join(HERE, "openapi-game.ts"), join(folder, "game.ts"));
    assert.deepEqual(compiled(join(folder, "game.ts")), []);

    const { play } = await import(join(folder, "game.js"));
    const told = await play(club.url);
    checkTold(told);
    assert.deepEqual([told.newest, told.older], [1, 0]);
    assert.equal(told.refused.refused, "game-over");
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await club.close();
  }
});

// The generator knows text and JSON only.
const GENERATOR = `
post_hooks: []
content_type_overrides:
  application/x-ndjson: text/plain
  application/x-chess-pgn: text/plain
  application/toml: text/plain
`;

test("a Python client generated from the document plays a game", async () => {
  const club = await openClub();
  const folder = mkdtempSync(join(HERE, "../node_modules/.openapi-"));
  const at = (...names) => join(HERE, "../node_modules/.python", ...names);
  try {
    if (!existsSync(at("bin/openapi-python-client"))) {
      await run("python3", ["-m", "venv", at()]);
      await run(at("bin/pip"), ["install", "--quiet", "openapi-python-client==0.29.1"]);
    }
    writeFileSync(join(folder, "api.json"), JSON.stringify(await documentOf(club)));
    writeFileSync(join(folder, "config.yml"), GENERATOR);
    const output = ["--meta", "none", "--output-path", join(folder, "client")];
    const words = ["generate", "--path", join(folder, "api.json"), "--config", join(folder, "config.yml"), ...output];
    const { stdout } = await run(at("bin/openapi-python-client"), words);
    assert.doesNotMatch(stdout, /warning/i);
    copyFileSync(join(HERE, "openapi_game.py"), join(folder, "game.py"));
    const told = JSON.parse((await run(at("bin/python"), [join(folder, "game.py"), club.url])).stdout);
    checkTold(told);
    assert.equal(told.refused, "game-over");
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await club.close();
  }
});
