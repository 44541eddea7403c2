// Finds texts for people outside the catalogue (`words/`).

import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";

// Node itself loads these large files. Otherwise Vite would first transform them, which takes long.
const load = createRequire(import.meta.url);
const { parse } = load("svelte/compiler");
const ts = load("typescript");

const files = import.meta.glob(["./**/*.svelte", "./**/*.ts", "!./**/*.test.ts", "!./words/**", "!./wire.ts", "!./design/Design.svelte"], {
  query: "?raw",
  import: "default",
  eager: true,
});

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

/** The texts in the strings of a program. */
function inProgram(source) {
  const file = ts.createSourceFile("a.ts", source, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    const literal = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
    const outside = ts.isImportDeclaration(node.parent ?? node) || ts.isExportDeclaration(node.parent ?? node) || ts.isLiteralTypeNode(node.parent ?? node);
    if (literal && !outside && isText(node.text)) found.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, text: node.text });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The texts in a component: text of the markup, attributes that are shown or read aloud, and strings in its program. */
function inComponent(source) {
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
      .flatMap(([file, source]) => (file.endsWith(".svelte") ? inComponent(source) : inProgram(source)).map(({ line, text }) => `${file}:${line}: ${text}`));
    expect(outside).toEqual([]);
  });

  it("has no sentence of the club: the types of its messages leave them out", () => {
    const wire = load("node:fs").readFileSync(new URL("./wire.ts", import.meta.url), "utf8");
    for (const text of ["why", "over_words", "facts", "sections", "summary", "sources", "notes", "about", "here", "there", "base_title", "ended"])
      expect(wire).not.toMatch(new RegExp(`^${text}\\??:`, "m"));
    // `words` are sentences in a hearing, and what can be typed in a view.
    expect(wire.match(/^words:/gm)).toHaveLength(1);
  });
});
