// The colours of the board, computed from the style sheets and the drawings of the men.

import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const drawings = readdirSync(new URL("men", import.meta.url)).filter((name) => /^(white|black)-/.test(name)).map((name) => read(`men/${name}`));

describe("guesses", () => {
  it("are visible on every square: a contrast of at least 3", () => {
    const channel = (value) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const contrast = (one, other) => {
      const [less, more] = [light(one), light(other)].sort((a, b) => a - b);
      return (more + 0.05) / (less + 0.05);
    };
    const hex = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
    const rule = /guessing-black piece\.white \{([^}]*)\}/.exec(read("board.css"))[1];
    const opacity = Number(/opacity: ([\d.]+)/.exec(rule)[1]);
    const squares = [...read("design/tokens.css").matchAll(/--(?:light|dark)-square: (#\w{6})/g)].map(([, colour]) => hex(colour));
    expect(squares.length).toBe(10);
    for (const square of squares) {
      for (const drawing of drawings) {
        const outline = hex(/stroke="(#\w{6})"/.exec(drawing)[1]);
        const drawn = outline.map((value, at) => value * opacity + square[at] * (1 - opacity));
        expect(contrast(drawn, square)).toBeGreaterThanOrEqual(3);
      }
    }
  });
});

describe("the board", () => {
  it("has a light square at the right of each player", () => {
    // A conic gradient begins at the top and goes clockwise: its first quarter is the square at the right of the corner.
    expect(read("board.css")).toContain("repeating-conic-gradient(var(--dark-square) 0 25%, var(--light-square) 0 50%)");
  });
});
