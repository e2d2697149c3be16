"use client";
import { useEffect, useRef } from "react";

/** `event.key` of the pressed key; `mod+` means ⌘ or Ctrl, `alt+` means Alt with the letter on the key. */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** A page's shortcuts. Plain keys are left to fields and dialogs; `mod+` and `alt+` keys work everywhere. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const run = latest.current[shortcutOf(event)];
      if (run === undefined) return;
      event.preventDefault();
      run(event);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** A scrollable box (`ScrollArea`) keeps the keys that scroll it. */
const SCROLLER = '[role=group][tabindex="0"]';
const SCROLL_KEYS: readonly string[] = ["ArrowDown", "ArrowUp"];

/** "" for a key press that belongs elsewhere: typing in a field, or one that was already handled. */
function shortcutOf(event: KeyboardEvent): string {
  if (event.defaultPrevented || event.isComposing) return "";
  if (event.altKey) return hasOtherModifier(event) ? "" : `alt+${letterOf(event)}`;
  if (event.metaKey || event.ctrlKey) return `mod+${event.key.toLowerCase()}`;
  return isBusyTarget(event.target, event.key) ? "" : event.key;
}

/** Ctrl Alt is how some layouts type symbols, and a dialog hides what the page would do. */
function hasOtherModifier({ metaKey, ctrlKey, target }: KeyboardEvent): boolean {
  return metaKey || ctrlKey || (target instanceof Element && target.closest("[role=dialog]") !== null);
}

/** With Alt held down, `key` is what the layout makes of both: "¥" on a Mac. */
function letterOf({ code, key }: KeyboardEvent): string {
  return /^[a-z]$/iu.test(key) ? key.toLowerCase() : code.replace(/^Key/u, "").toLowerCase();
}

function isBusyTarget(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (SCROLL_KEYS.includes(key) && target.closest(SCROLLER) !== null) return true;
  return (
    target.closest("input, textarea, select, [contenteditable=true], [role=dialog], [role=menu], [role=listbox]") !==
    null
  );
}
