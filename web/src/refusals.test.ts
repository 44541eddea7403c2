import { FluentResource } from "@fluent/bundle";
import { describe, expect, it } from "vitest";
import english from "./words/en/refusal.ftl?raw";
import { refusalText } from "./words/refusals";

const sources = import.meta.glob<string>(["../../club/club/src/**/*.rs", "../../club/server/src/**/*.rs"], { query: "?raw", import: "default", eager: true });
const ids = new FluentResource(english).body.map(({ id }) => id.replace("refusal-", ""));
const reasons = ids.filter((id) => !/^(code-|fault-|wait$|place$)/.test(id));
const rust = Object.values(sources).join("\n");

describe("the reasons of refusals", () => {
  it("are those of the club", () => {
    const named = rust.matchAll(/(?:ClubError::new\(\s*(?:RefusalCode::\w+|error\.code),|not_possible\(|invalid\(|too_many\(|too_soon\(\s*wait,|\(RefusalCode::\w+, )\s*"([a-z-]+)",|because\("([a-z-]+)"\)/g);
    const used = new Set([...named].map(([, reason, because]) => reason ?? because!));
    expect(used.size).toBeGreaterThan(80);
    expect([...used].filter((reason) => !reasons.includes(reason))).toEqual([]);
    expect(reasons.filter((reason) => !rust.includes(`"${reason}"`))).toEqual([]);
  });
  it("have the values of the refusal", () => {
    const refused = (code: "too-many" | "invalid" | "ambiguous", reason: string | null, args: Record<string, string>, retry_after_ms: number | null = null): string =>
      refusalText({ code, reason, args, retry_after_ms });
    expect(refused("too-many", "passwords-wrong", { seconds: "12" }, 11_400)).toBe("Too many wrong passwords for this name: the next password is checked in 12 s.");
    expect(refused("too-many", null, {}, 11_400)).toBe("Too many requests: try again in 12 s.");
    expect(refused("too-many", null, {})).toBe("Too many requests: try again later.");
    expect(refused("ambiguous", "ambiguous", { text: "Nd2", fits: "b1d2 f1d2 f3d2" })).toBe("“Nd2” may mean b1d2, f1d2 or f3d2: write the one you mean.");
    expect(refused("invalid", "ruleset-fault", { fault: "unknown-choice", choice: "x", line: "5", column: "1" })).toBe("Line 5, column 1: There is no choice “x”.");
    expect(refused("invalid", "a reason of a later club", {})).toBe("A value is wrong.");
  });
});
