"use client";
import { useCallback, useEffect, useState } from "react";

/** Parts with their own keys: if our search is already open, the browser's comes up. */
const ELSEWHERE = "[role=dialog], [role=search], search";

export interface Find {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

/** Search within a thread, with Ctrl F or ⌘F. A second press opens the browser's. */
export function useFind(): Find {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "f" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      if (event.defaultPrevented || (event.target instanceof Element && event.target.closest(ELSEWHERE))) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return { isOpen, open: useCallback(() => setOpen(true), []), close: useCallback(() => setOpen(false), []) };
}
