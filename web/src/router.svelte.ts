// Finds the screen that belongs to a path.

import type { Side } from "./wire";

export type Place =
  | { at: "lobby" }
  | { at: "game"; id: string }
  | { at: "mistakes"; id: string; side: Side }
  | { at: "invitation"; code: string }
  | { at: "rules" }
  | { at: "ruleset"; id: string }
  | { at: "problem" | "lesson" | "evening" | "hall"; id: string }
  | { at: "study"; id: string | undefined }
  | { at: "settings" | "learn" | "evenings" | "operator" }
  | { at: "profile"; name: string }
  | { at: "games" | "leaderboard" | "problems"; query: string }
  | { at: "design" }
  | { at: "nowhere"; path: string };

/** A part of a path as text; as it is written if the club could not have written it. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function placeOf(path: string, query = ""): Place {
  const [first, second, ...rest] = path.split("/").filter((part) => part !== "").map(decoded);
  if (first === undefined) return { at: "lobby" };
  if (first === "game" && second !== undefined && rest[0] === "mistakes" && (rest[1] === "white" || rest[1] === "black") && rest.length === 2) {
    return { at: "mistakes", id: second, side: rest[1] };
  }
  if (first === "study" && rest.length === 0) return { at: first, id: second };
  if (rest.length === 0 && second !== undefined) {
    if (first === "game") return { at: "game", id: second };
    if (first === "invitation") return { at: "invitation", code: second };
    if (first === "@") return { at: "profile", name: second };
    if (first === "rules" && second === "compare") return { at: "rules" };
    if (first === "rules") return { at: "ruleset", id: second };
    if (first === "problems") return { at: "problem", id: second };
    if (first === "learn") return { at: "lesson", id: second };
    if (first === "evening" || first === "hall") return { at: first, id: second };
  }
  if (second === undefined && (first === "rules" || first === "settings" || first === "learn" || first === "evenings" || first === "operator")) return { at: first };
  if (second === undefined && (first === "games" || first === "leaderboard" || first === "problems")) return { at: first, query };
  if (import.meta.env.DEV && first === "design") return { at: "design" };
  return { at: "nowhere", path };
}

const here = (): Place => placeOf(location.pathname, location.search);

export const router: {
  place: Place;
  /** Whether the user came to this place from another place of the page. */
  moved: boolean;
  /** Whether the user has loaded this place again; then the browser has lost the focus. */
  reloaded: boolean;
} = $state({ place: here(), moved: false, reloaded: performance.getEntriesByType("navigation").some((one) => (one as PerformanceNavigationTiming).type === "reload") });

export function go(path: string): void {
  if (path !== location.pathname + location.search) history.pushState(null, "", path);
  router.place = here();
  router.moved = true;
  // The keyboard goes on in the new screen, not in the menu.
  if (document.activeElement?.closest("header")) document.getElementById("main")?.focus();
  scrollTo(0, 0);
}

/** Changes the address of this screen, without a step in the history. */
export function replace(path: string): void {
  history.replaceState(null, "", path);
  router.place = here();
}

/** Makes links within this page work without loading the page again. */
export function followLinks(): void {
  addEventListener("popstate", () => {
    router.place = here();
  });
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element | null)?.closest("a");
    if (!link || link.target !== "" || link.hasAttribute("download")) return;
    const path = new URL(link.href, location.href);
    if (path.origin !== location.origin || path.pathname.startsWith("/api")) return;
    if (path.hash !== "" && path.pathname === location.pathname) return;
    event.preventDefault();
    go(path.pathname + path.search);
  });
}
