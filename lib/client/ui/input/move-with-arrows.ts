import type { KeyboardEvent } from "react";

/** The index to which each key moves, from an index among `count`. */
const STEPS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index - 1 + count) % count,
  ArrowUp: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * For a toolbar of plain buttons: one of them is a tab stop, and arrows, Home and End move between them. The focused
 * one becomes the tab stop.
 */
export function moveWithArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const bar = event.currentTarget;
  // A form in a bar has its own tab stops.
  const isOfBar = (button: Element) => !bar.contains(button.closest("form")) || bar.closest("form") !== null;
  const buttons = [...bar.querySelectorAll<HTMLElement>("button:not(:disabled), a[href]")].filter(isOfBar);
  const index = buttons.indexOf(document.activeElement as HTMLElement);
  const next = index === -1 ? undefined : buttons[step(index, buttons.length)];
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next.focus();
}
