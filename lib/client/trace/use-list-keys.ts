"use client";
import { type KeyboardEvent as ReactKeyboardEvent, type RefObject, useEffect, useRef } from "react";

/**
 * Keys of the list, which `onKey` handles or ignores. Returns the list's own handler; if nothing on the page has the
 * focus, as right after loading, the keys work too and move the focus here.
 */
export function useListKeys(
  list: RefObject<HTMLElement | null>,
  onKey: (key: string) => boolean,
): (event: ReactKeyboardEvent | KeyboardEvent) => void {
  const press = (event: ReactKeyboardEvent | KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (onKey(event.key)) event.preventDefault();
  };
  const latest = useRef(press);
  useEffect(() => {
    latest.current = press;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.target !== document.body) return;
      latest.current(event);
      if (event.defaultPrevented) list.current?.focus({ preventScroll: true });
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [list]);
  return press;
}
