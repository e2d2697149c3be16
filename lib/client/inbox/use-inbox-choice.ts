"use client";
import { useEffect, useRef, useState } from "react";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { type InboxChoice, type InboxGroup, openItem, stepItem } from "./inbox-groups";

/** Id of the button that opens an item. */
export function rowId(approvalId: string): string {
  return `inbox-${approvalId}`;
}

/** The open item; arrows move between items, `o` opens its thread. */
export function useInboxChoice(groups: readonly InboxGroup[], go: (href: string) => void) {
  const [choice, setChoice] = useState<InboxChoice>(null);
  const approvals = groups.flatMap((group) => group.approvals);
  const ids = approvals.map(({ id }) => id);
  const openId = openItem(ids, choice);
  // The choice is now fixed: a person may be typing in the item while others arrive or are decided elsewhere.
  if (openId !== null && choice !== "nothing" && choice?.id !== openId) {
    setChoice({ id: openId, index: ids.indexOf(openId) });
  }
  useFocusNext(openId);
  const step = (by: 1 | -1) => {
    const next = stepItem(ids, choice, by);
    setChoice(next);
    if (next !== null && next !== "nothing") document.getElementById(rowId(next.id))?.focus();
  };
  const openThread = () => {
    const open = approvals.find(({ id }) => id === openId);
    if (open) go(`/threads/${open.threadId}`);
  };
  useShortcuts({
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    j: () => step(1),
    k: () => step(-1),
    o: openThread,
  });
  return {
    openId,
    toggle: (id: string) => setChoice(id === openId ? "nothing" : { id, index: ids.indexOf(id) }),
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
