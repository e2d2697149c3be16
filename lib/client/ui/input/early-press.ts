/**
 * Keeps the last press on a button of a server-rendered page whose code is still being loaded: React drops it. Call it
 * as loading begins; what it returns is called once the page is alive, and presses the button then.
 */
export function keepEarlyPress(): () => void {
  let press: { readonly button: HTMLElement; readonly event: Event } | null = null;
  const keep = (event: MouseEvent) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (button !== null && button.closest("main") !== null) press = { button, event };
  };
  // Before React's own listener, which stops the event.
  window.addEventListener("click", keep, true);
  return () => {
    window.removeEventListener("click", keep, true);
    if (press === null) return;
    const { button, event } = press;
    // An event that is on its way has brought the page to life itself, and reaches the button.
    if (event.eventPhase !== Event.NONE) return;
    setTimeout(() => {
      if (button.isConnected) button.click();
    });
  };
}
