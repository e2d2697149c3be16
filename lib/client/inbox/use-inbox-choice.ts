"use client";
import { useEffect, useRef, useState } from "react";
import { type InboxChoice, openItem, stepItem } from "./inbox-choice";

/** Id of the button that opens an item. */
export function rowId(itemId: string): string {
  return `inbox-${itemId}`;
}

/** The open item among those of the list and those kept open after they left it, and how to open another. */
export function useInboxChoice(ids: readonly string[], keeps: (id: string) => boolean) {
  const [choice, setChoice] = useState<InboxChoice>(null);
  const openId = openItem(ids, choice, keeps);
  // The choice is now fixed: a person may be typing in the item while others arrive or are decided elsewhere.
  if (openId !== null && choice?.id !== openId) setChoice({ id: openId, index: ids.indexOf(openId) });
  useFocusNext(openId);
  return {
    openId,
    open: (id: string) => setChoice({ id, index: ids.indexOf(id) }),
    step: (by: 1 | -1) => {
      const next = stepItem(ids, choice, by);
      setChoice(next);
      if (next !== null) document.getElementById(rowId(next.id))?.focus();
    },
  };
}

/** A decided item loses keyboard focus as it disappears; the item that opens in its place gets it. */
function useFocusNext(openId: string | null): void {
  const shownId = useRef(openId);
  useEffect(() => {
    const isNext = shownId.current !== null && shownId.current !== openId;
    shownId.current = openId;
    if (!isNext || openId === null || document.activeElement !== document.body) return;
    document.getElementById(rowId(openId))?.focus({ preventScroll: true });
  }, [openId]);
}
