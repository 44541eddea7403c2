// Keeps the keyboard focus. The focused element may disappear, for example a button that was
// pressed, a dialog or a screen. Then the focus moves to the element that replaces it in its group,
// back to the element that had the focus before, or to the heading of the screen.

/** The number of earlier places to remember. */
const PLACES = 12;

interface Place {
  at: HTMLElement;
  /** The path of the address. */
  path: string;
  group: Element | null;
  /** The buttons that the group had while it had the focus. */
  members: HTMLElement[];
}

const coarse = matchMedia("(pointer: coarse)");

/** The dialog that is open. What is outside it cannot take the focus. */
const modal = (): HTMLElement | null => [...document.querySelectorAll<HTMLElement>("dialog:modal")].at(-1) ?? null;

/** Whether an element can take the focus. On a touch screen a field cannot, because the on-screen keyboard would open. */
const canTake = (place: HTMLElement): boolean =>
  place.isConnected && (modal()?.contains(place) ?? true) && !place.matches(":disabled") && place.getClientRects().length > 0 && !(coarse.matches && place.matches("input"));

const buttonsOf = (group: Element | null): HTMLElement[] =>
  group === null ? [] : [...group.querySelectorAll<HTMLElement>("button")];

/**
 * The element that gets the focus. This is the element itself if it still exists. Otherwise it is a
 * new button in the element's group. If there is no new button, it is an old button of this group.
 */
function heir({ at, group, members }: Place): HTMLElement | undefined {
  if (canTake(at)) return at;
  const now = group?.isConnected === true ? buttonsOf(group).filter(canTake) : [];
  return now.find((one) => !members.includes(one)) ?? now[Math.min(members.indexOf(at), now.length - 1)];
}

export function keepFocus(): void {
  let places: Place[] = [];
  const lost = (): boolean => {
    const last = places.at(-1)?.at;
    return last !== undefined && !last.isConnected && (document.activeElement ?? document.body) === document.body;
  };
  addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement) || target === document.body) return;
    const group = target.closest('[role="group"]');
    const kept = places.filter(({ at, group }) => at !== target && (at.isConnected || group?.isConnected === true));
    places = [...kept, { at: target, path: location.pathname, group, members: buttonsOf(group) }].slice(-PLACES);
  });
  new MutationObserver(() => {
    const last = places.at(-1);
    if (last?.at.isConnected === true && last.at === document.activeElement) last.members = buttonsOf(last.group);
    if (!lost()) return;
    // The page must first draw the replacement, which may take the focus itself.
    requestAnimationFrame(() => {
      if (!lost()) return;
      let back: HTMLElement | undefined;
      // On another screen no place is left, and who used the head of the page does not want to go back there.
      const inHead = (place: Place | undefined): boolean => place?.at.closest("header") != null;
      const left = places.filter((place, n) => place.path === location.pathname && (n === places.length - 1 || !inHead(place)));
      for (const place of left.toReversed()) back ??= heir(place);
      places = [];
      back ??= modal()?.querySelector<HTMLElement>("[data-first], button") ?? undefined;
      const main = document.getElementById("main");
      const heading = main?.querySelector("h1");
      if (heading) heading.tabIndex = -1;
      (back ?? heading ?? main)?.focus({ preventScroll: true });
    });
  }).observe(document.body, { childList: true, subtree: true });
}
