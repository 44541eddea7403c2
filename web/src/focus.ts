// The focus is never lost: when what has it goes away (a button that was
// pressed, a dialog, a screen), it goes to what took its place in its group,
// or back to where it was before.

/** How many places are remembered. */
const PLACES = 12;

interface Place {
  at: HTMLElement;
  group: Element | null;
  /** The buttons of the group while it had the focus. */
  members: HTMLElement[];
}

const coarse = matchMedia("(pointer: coarse)");

/** A finger's keyboard must not come up by itself. */
const canTake = (place: HTMLElement): boolean =>
  place.isConnected && !place.matches(":disabled") && place.getClientRects().length > 0 && !(coarse.matches && place.matches("input"));

const buttonsOf = (group: Element | null): HTMLElement[] =>
  group === null ? [] : [...group.querySelectorAll<HTMLElement>("button")];

/** A place itself, or what takes its place: a button that is new in its group, else the one that stands there now. */
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
    places = [...kept, { at: target, group, members: buttonsOf(group) }].slice(-PLACES);
  });
  new MutationObserver(() => {
    const last = places.at(-1);
    if (last?.at.isConnected === true && last.at === document.activeElement) last.members = buttonsOf(last.group);
    if (!lost()) return;
    // Whatever takes its place is drawn first, and may take the focus itself.
    requestAnimationFrame(() => {
      if (!lost()) return;
      let back: HTMLElement | undefined;
      for (const place of places.toReversed()) back ??= heir(place);
      places = [];
      (back ?? document.getElementById("main"))?.focus({ preventScroll: true });
    });
  }).observe(document.body, { childList: true, subtree: true });
}
