// The focus is never lost: when what has it goes away (a button that was
// pressed, a dialog, a screen), it goes back to where it was before.

/** How many places are remembered. */
const PLACES = 12;

const coarse = matchMedia("(pointer: coarse)");

/** A finger's keyboard must not come up by itself. */
const canTake = (place: HTMLElement): boolean =>
  place.isConnected && !place.matches(":disabled") && place.getClientRects().length > 0 && !(coarse.matches && place.matches("input"));

export function keepFocus(): void {
  let places: HTMLElement[] = [];
  const lost = (): boolean => {
    const last = places.at(-1);
    return last !== undefined && !last.isConnected && (document.activeElement ?? document.body) === document.body;
  };
  addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement) || target === document.body) return;
    places = [...places.filter((place) => place !== target && place.isConnected), target].slice(-PLACES);
  });
  new MutationObserver(() => {
    if (!lost()) return;
    // Whatever takes its place is drawn first, and may take the focus itself.
    requestAnimationFrame(() => {
      if (!lost()) return;
      const back = places.findLast(canTake) ?? document.getElementById("main");
      places = [];
      back?.focus({ preventScroll: true });
    });
  }).observe(document.body, { childList: true, subtree: true });
}
