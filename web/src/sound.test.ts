import { describe, expect, it, vi } from "vitest";
import { soundOf } from "./sound";
import type { HeardJson } from "./wire";

vi.mock("./settings.svelte", () => ({ settings: { sound: true } }));

describe("the sound of an announcement about pawn tries", () => {
  it.each<[HeardJson, string | null]>([
    [{ kind: "tries", any: true }, "tries"],
    [{ kind: "tries", any: false }, null],
    [{ kind: "tries", count: 1 }, "tries"],
    [{ kind: "tries", count: 0 }, null],
    [{ kind: "tries", squares: ["d5"] }, "tries"],
    [{ kind: "tries", squares: [] }, null],
    [{ kind: "tries", squares: ["d5"], double: [] }, "tries"],
    [{ kind: "tries", squares: [], double: ["d6"] }, "tries"],
    [{ kind: "tries", squares: [], double: [] }, null],
  ])("%j is %s", (heard, sound) => expect(soundOf([heard], "white")).toBe(sound));
});
