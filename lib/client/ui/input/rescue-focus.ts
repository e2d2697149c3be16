const COMPOSER = "textarea[data-composer]:not(:disabled)";
const TABBABLE = "button:not(:disabled), a[href], input:not(:disabled), textarea:not(:disabled), [tabindex='0']";

/** An element that shares one of this many ancestors with the field belongs to the composer. */
const BESIDE_COMPOSER = 3;

interface Place {
  readonly parent: Element;
  readonly index: number;
}

/**
 * Keeps the focus on the page when the focused element disappears: a row that is deleted, a button of a run that has
 * ended, a message that is scrolled out of what is mounted. The focus goes to whatever replaces it, or to its list. A
 * dialog or menu restores the focus itself, unless its opener is gone. Returns a function that stops this.
 */
export function rescueFocus(): () => void {
  let last: { readonly element: Element; readonly places: readonly Place[] } | null = null;
  let frame = 0;
  const note = ({ target }: FocusEvent) => {
    if (target instanceof Element && !isInOverlay(target)) last = { element: target, places: placesOf(target) };
  };
  const isLost = () => last !== null && !last.element.isConnected && document.activeElement === document.body;
  const check = () => {
    if (!isLost()) return;
    cancelAnimationFrame(frame);
    // A moment later: the code that removed it may focus something else.
    frame = requestAnimationFrame(() => {
      if (!isLost() || last === null) return;
      const { places } = last;
      last = null;
      successorOf(places)?.focus({ preventScroll: true });
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

/** Overlays are children of the body, next to the page. */
function isInOverlay(element: Element): boolean {
  const page = document.querySelector("main");
  return page !== null && topOf(element) !== topOf(page);
}

function topOf(element: Element): Element {
  let top = element;
  while (top.parentElement !== null && top.parentElement !== document.body) top = top.parentElement;
  return top;
}

function placesOf(element: Element): Place[] {
  const places: Place[] = [];
  for (let child = element; child.parentElement !== null; child = child.parentElement) {
    places.push({ parent: child.parentElement, index: [...child.parentElement.children].indexOf(child) });
  }
  return places;
}

/** In the nearest remaining ancestor: the composer, the scrolling container, or whatever is now in the same place. */
function successorOf(places: readonly Place[]): HTMLElement | null {
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
