// Finds texts for people outside the catalogue (`words/`), and faults of the catalogue.

import { createRequire } from "node:module";
import { FluentResource } from "@fluent/bundle";
import { describe, expect, it } from "vitest";
import { languages } from "./words/languages";

// Node itself loads these large files. Otherwise Vite would first transform them, which takes long.
const load = createRequire(import.meta.url);
const { parse } = load("svelte/compiler");
const ts = load("typescript");

const files = import.meta.glob(["./**/*.svelte", "./**/*.ts", "./worker.js", "!./**/*.test.ts", "!./wire.ts", "!./design/Design.svelte"], { query: "?raw", import: "default", eager: true });
const catalogue = import.meta.glob("./words/*/*.ftl", { query: "?raw", import: "default", eager: true });

/** Attributes that are shown or read aloud. */
const SPOKEN = /^(aria-(label|description|roledescription|valuetext|placeholder)|title|placeholder|alt|label|text|heading|about)$/;
/** Names of keys, types and markers that look like words. */
const NAMES =
  /^(Accept|Alt|Arrow(Down|Left|Right|Up)|Backspace|Control|Delete|End|Enter|Escape|Home|Meta|PageDown|PageUp|Shift|Space|Tab|GET|POST|DELETE|PUT|Rejected)$/;

/** Strings that are neither names nor texts: addresses, media queries, selectors, lists of classes. */
const CODE = /^[(/]|^input\b|^heat /;

/** Whether a string in a program is for people: a capitalised word, or several words. */
const isText = (text) =>
  !NAMES.test(text) && !CODE.test(text) && (/^[A-Z][a-z]+([.:!?]|$)/.test(text) || /[A-Za-z]{2,}[,.:;!?]? [A-Za-z]/.test(text) || /[a-z]{2,}[.!?:]$/.test(text)) && !/^[a-z-]+:$/.test(text);

/** The texts in the strings of a program, and its calls of `t`. */
function inProgram(source, calls = []) {
  const file = ts.createSourceFile("a.ts", source, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === "t") return asksFor(node, calls, visit);
    const literal = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
    const outside = ts.isImportDeclaration(node.parent ?? node) || ts.isExportDeclaration(node.parent ?? node) || ts.isLiteralTypeNode(node.parent ?? node);
    if (literal && !outside && isText(node.text)) found.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, text: node.text });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Adds a call of `t` to a list. The ids of messages are no texts; the values may be. */
function asksFor(call, calls, visit) {
  const [id, values] = call.arguments;
  const ids = (node) => {
    if (ts.isConditionalExpression(node)) return [...ids(node.whenTrue), ...ids(node.whenFalse)];
    if (ts.isParenthesizedExpression(node)) return ids(node.expression);
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isTemplateExpression(node)) return [`${node.head.text}${node.templateSpans.map(({ literal }) => `*${literal.text}`).join("")}`];
    return [`? ${node.getText()}`];
  };
  const open = values !== undefined && (!ts.isObjectLiteralExpression(values) || values.properties.some((one) => ts.isSpreadAssignment(one)));
  const names = values === undefined || open ? [] : values.properties.map((one) => one.name.text);
  calls.push(...ids(id).map((one) => ({ id: one, open, names })));
  if (values !== undefined) visit(values);
}

/** The texts in a component: text of the markup, attributes that are shown or read aloud, and strings in its program; and its calls of `t`. */
function inComponent(source, calls = []) {
  const found = [];
  const lineOf = (at) => source.slice(0, at).split("\n").length;
  const visit = (node, attribute) => {
    if (Array.isArray(node)) return node.forEach((one) => visit(one, attribute));
    if (node === null || typeof node !== "object") return;
    const { type, start, data, name, value } = node;
    const says = (text, is) => {
      if (is) found.push({ line: lineOf(start), text: text.trim() });
    };
    if (type === "Comment") return;
    if (type === "CallExpression" && node.callee.name === "t") {
      inProgram(source.slice(node.start, node.end), calls);
      return visit(node.arguments.slice(1), attribute);
    }
    if (type === "Attribute") return visit(value, name ?? "");
    if (type === "Text") return says(data ?? "", /\p{L}/u.test(data ?? "") && (attribute === null || SPOKEN.test(attribute)));
    // The names of classes are not texts.
    if (attribute !== "class") {
      if (type === "Literal" && typeof value === "string") return says(value, isText(value) || (attribute !== null && SPOKEN.test(attribute) && /\p{L}/u.test(value)));
      if (type === "TemplateElement") {
        const { cooked } = value;
        return says(cooked, isText(cooked) || (attribute !== null && SPOKEN.test(attribute) && /\p{L}{2}/u.test(cooked)));
      }
    }
    if (type === "ImportDeclaration") return;
    // A string that is only compared with a value is not shown.
    if (type === "BinaryExpression" && node.operator !== "+") return;
    for (const [key, child] of Object.entries(node)) {
      if (!["loc", "parent", "metadata", "comments", "options", "typeAnnotation", "returnType", "typeArguments"].includes(key)) visit(child, attribute);
    }
  };
  const { fragment, instance, module } = parse(source, { modern: true });
  visit(fragment, null);
  for (const script of [instance, module]) if (script) visit(script.content, null);
  return found;
}

describe("the catalogue of texts", () => {
  it("a text outside it is found in markup, attributes and programs", () => {
    expect(inComponent(`<p class="a b">Hello <b>you</b>{x ? "good day" : ""}</p>`).map((one) => one.text)).toEqual(["Hello", "you", "good day"]);
    expect(inComponent(`<button aria-label="ok" class={["big one"]} onclick={() => go("/rules")}>{words.ok}</button>`).map((one) => one.text)).toEqual(["ok"]);
    expect(inComponent("<script lang=\"ts\">\n  const told = $derived(`${name} declines it`);\n</script>\n<p title={`by ${name}`}></p>").map((one) => one.line)).toEqual([4, 2]);
    expect(inProgram(`import "a b"; const a = { kind: "no-clock", key: "Home", b: "Random colour", c: \`\${d} is away\` };`).map((one) => one.text)).toEqual(["Random colour", " is away"]);
  });

  it("holds every text of the page", () => {
    expect(Object.keys(files).length).toBeGreaterThan(40);
    const outside = Object.entries(files)
      .filter(([file]) => !file.startsWith("./words/"))
      .flatMap(([file, source]) => (file.endsWith(".svelte") ? inComponent(source) : inProgram(source)).map(({ line, text }) => `${file}:${line}: ${text}`));
    expect(outside).toEqual([]);
  });

  it("has no sentence of the club: the types of its messages leave them out", () => {
    const wire = load("node:fs").readFileSync(new URL("./wire.ts", import.meta.url), "utf8");
    for (const text of ["why", "over_words", "facts", "sections", "summary", "sources", "notes", "here", "there", "base_title", "ended"])
      expect(wire).not.toMatch(new RegExp(`^${text}\\??:`, "m"));
    // `words` are sentences in a hearing, and what can be typed in a view.
    expect(wire.match(/^words:/gm)).toHaveLength(1);
    // What a person says in a profile.
    expect(wire.match(/^about\??:/gm)).toHaveLength(1);
  });
});

/** The variables and the messages that a message uses itself. */
function usedBy(message) {
  const [variables, messages] = [new Set(), new Set()];
  const visit = (part) => {
    if (typeof part !== "object" || part === null) return;
    if (part.type === "var") variables.add(part.name);
    if (part.type === "mesg") messages.add(part.name);
    Object.values(part).forEach(visit);
  };
  visit(message.value);
  return { variables, messages };
}

/** The messages of a language: what each uses, also through others, its links, and whether another message uses it. */
function messagesOf(language) {
  const body = Object.entries(catalogue).filter(([path]) => path.startsWith(`./words/${language}/`)).flatMap(([, text]) => new FluentResource(text).body);
  const direct = new Map(body.map((message) => [message.id, usedBy(message)]));
  const inner = new Set([...direct.values()].flatMap(({ messages }) => [...messages]));
  const all = (id) => {
    const { variables, messages } = direct.get(id) ?? { variables: [`no message ${id}`], messages: [] };
    return [...variables, ...[...messages].flatMap(all)];
  };
  return new Map(body.map(({ id, value }) => [id, { variables: [...new Set(all(id))].sort(), links: JSON.stringify(value).match(/\]\([^)]*\)|\]\(.*?\)/g) ?? [], inner: inner.has(id) }]));
}

describe("the languages", () => {
  const calls = [];
  for (const [file, source] of Object.entries(files)) (file.endsWith(".svelte") ? inComponent : inProgram)(source, calls);
  const english = messagesOf("en");
  const pattern = (id) => new RegExp(`^${id.replace(/[?.+()[\]]/g, "\\$&").replaceAll("*", "[\\w-]+")}$`);
  const asked = new Map(calls.map(({ id }) => [id, [...english.keys()].filter((one) => pattern(id).test(one))]));
  const outer = new Set([...asked.values()].flat());

  it("calls of `t` are found with their ids and values", () => {
    const found = [];
    inComponent(`<p title={t("a-b", { c: 1, d })}>{t(x ? "a" : \`b-\${y}\`)}{t(z)}</p>`, found);
    expect(found).toEqual([{ id: "a-b", open: false, names: ["c", "d"] }, { id: "a", open: false, names: [] }, { id: "b-*", open: false, names: [] }, { id: "? z", open: false, names: [] }]);
  });
  it("have every message that the page asks for, with the values that it gives", () => {
    expect(calls.length).toBeGreaterThan(100);
    const wrong = calls.flatMap(({ id, open, names }) => {
      const ids = asked.get(id);
      if (ids.length === 0) return [`${id}: no such message`];
      const needed = [...new Set(ids.flatMap((one) => english.get(one).variables))].sort();
      return open || needed.join() === [...names].sort().join() ? [] : [`${id}: needs ${needed.join()}, gets ${names.join()}`];
    });
    expect(wrong).toEqual([]);
  });
  it("have no message that nobody needs", () => {
    expect([...english].filter(([id, { inner }]) => !inner && !outer.has(id)).map(([id]) => id)).toEqual([]);
  });
  it.each(Object.keys(languages))("%s has the same files, messages, values and links", (language) => {
    const own = Object.entries(catalogue).filter(([path]) => path.startsWith(`./words/${language}/`));
    const nameOf = (path) => path.replace(/.*\//, "");
    expect(own.map(([path]) => nameOf(path))).toEqual(Object.keys(catalogue).filter((path) => path.startsWith("./words/en/")).map(nameOf));
    for (const [path, text] of own) {
      const ids = text.match(/^-?[a-z][\w-]*(?= *=)/gim) ?? [];
      expect(new FluentResource(text).body.map(({ id }) => id), path).toEqual(ids);
      expect(new Set(ids).size, path).toBe(ids.length);
      expect(ids.filter((id) => !id.startsWith(`${nameOf(path).replace(".ftl", "")}-`)), path).toEqual([]);
      if (languages[language].unreviewed !== undefined) expect(text, path).toMatch(/^# Not reviewed\b/);
    }
    const messages = messagesOf(language);
    const told = (all) => [...outer].sort().map((id) => ({ id, variables: all.get(id)?.variables, links: all.get(id)?.links }));
    expect(told(messages)).toEqual(told(english));
    expect([...messages].filter(([id, { inner }]) => !inner && !outer.has(id)).map(([id]) => id)).toEqual([]);
  });
});
