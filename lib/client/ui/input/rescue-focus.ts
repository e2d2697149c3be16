const COMPOSER = "textarea[data-composer]:not(:disabled)";
const TABBABLE = "button:not(:disabled), a[href], input:not(:disabled), textarea:not(:disabled), [tabindex='0']";

/** What shares one of this many ancestors with the field belongs to the composer. */
const BESIDE_COMPOSER = 3;

interface Place {
  readonly parent: Element;
  readonly index: number;
}

/**
 * Keeps the focus on the page when what has it goes: a row that is deleted, a button of a run that has ended, a message
 * that is scrolled out of what is mounted. What stands in its place gets it, or its list. Returns what ends this.
 */
export function rescueFocus(): () => void {
  let last: Element | null = null;
  let places: readonly Place[] = [];
  let frame = 0;
  const note = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return;
    last = target;
    places = placesOf(target);
  };
  const check = () => {
    if (last === null || last.isConnected) return;
    last = null;
    // Dialogs and menus put the focus back by themselves, a moment later.
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) successorOf(places)?.focus({ preventScroll: true });
    });
  };
  const removals = new MutationObserver(check);
  document.addEventListener("focusin", note);
  removals.observe(document.body, { childList: true, subtree: true });
  return () => {
    cancelAnimationFrame(frame);
    document.removeEventListener("focusin", note);
    removals.disconnect();
  };
}

function placesOf(element: Element): Place[] {
  const places: Place[] = [];
  for (let child = element; child.parentElement !== null; child = child.parentElement) {
    places.push({ parent: child.parentElement, index: [...child.parentElement.children].indexOf(child) });
  }
  return places;
}

/** In the nearest ancestor that is left: the composer, what scrolls as a whole, or what is now in the same place. */
function successorOf(places: readonly Place[]): HTMLElement | null {
  // Overlays are children of the body and have put the focus back themselves, or had nowhere to put it.
  const left = places.filter(
    ({ parent }) => parent.isConnected && parent !== document.body && parent.tagName !== "HTML",
  );
  const [nearest] = left;
  if (nearest === undefined) return null;
  const whole = nearest.parent.closest<HTMLElement>("section[tabindex='0']");
  if (whole !== null) return whole;
  for (const { parent } of left.slice(0, BESIDE_COMPOSER)) {
    const composer = parent.querySelector<HTMLElement>(COMPOSER);
    if (composer !== null) return composer;
  }
  for (const { parent, index } of left) {
    const near = parent.children[Math.min(index, parent.children.length - 1)];
    const found = near?.matches(TABBABLE) ? near : near?.querySelector(TABBABLE);
    if (found instanceof HTMLElement) return found;
  }
  return null;
}
