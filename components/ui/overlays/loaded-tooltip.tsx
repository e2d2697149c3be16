"use client";
import { useEffect, useMemo, useRef, useState } from "react";
import { Tooltip, TooltipTriggerStateContext } from "react-aria-components/Tooltip";
import { Kbd } from "@/components/ui/kbd";

const OPEN_AFTER_MS = 500;
const CLOSE_AFTER_MS = 80;

/** When the last one closed: the next one opens at once, so that a toolbar can be read along. */
let lastClosedMs = Number.NEGATIVE_INFINITY;
/** Closes the one that is open: there is never a second. */
let closeOpenOne: (() => void) | null = null;

export interface LoadedTooltipProps {
  /** Just reached, by a pointer or the focus. */
  trigger: Element;
  label: string;
  shortcut?: string | undefined;
}

/** Repeats the control's own name; never the only place for a fact. */
export function LoadedTooltip({ trigger, label, shortcut }: LoadedTooltipProps) {
  const triggerRef = useRef(trigger);
  const state = useReached(trigger);
  return (
    <TooltipTriggerStateContext value={state}>
      <Tooltip
        triggerRef={triggerRef}
        placement="bottom"
        offset={4}
        className="overlay-motion z-50 flex max-w-72 items-center gap-1.5 rounded-md bg-overlay px-2 py-1 text-xs text-foreground shadow-overlay pointer-coarse:hidden"
      >
        {label}
        {shortcut === undefined ? null : <Kbd>{shortcut}</Kbd>}
      </Tooltip>
    </TooltipTriggerStateContext>
  );
}

/** Open while the pointer rests on it or the keyboard has focused it, until it is pressed or Escape is. */
function useReached(trigger: Element) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const change = (isReached: boolean, afterMs: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => setOpen(isReached), afterMs);
    };
    const rest = () => change(true, performance.now() - lastClosedMs < OPEN_AFTER_MS ? 0 : OPEN_AFTER_MS);
    const focus = () => {
      if (trigger.matches(":focus-visible")) change(true, 0);
    };
    const leave = () => change(false, CLOSE_AFTER_MS);
    const close = () => change(false, 0);
    const listeners = { pointerenter: rest, pointerleave: leave, focus, blur: close, pointerdown: close, click: close };
    for (const [type, listener] of Object.entries(listeners)) trigger.addEventListener(type, listener);
    if (trigger.matches(":hover")) rest();
    else focus();
    return () => {
      clearTimeout(timer);
      for (const [type, listener] of Object.entries(listeners)) trigger.removeEventListener(type, listener);
    };
  }, [trigger]);
  useEffect(() => {
    if (!isOpen) return;
    closeOpenOne?.();
    const close = () => setOpen(false);
    closeOpenOne = close;
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      // Only the innermost thing closes.
      event.stopPropagation();
      setOpen(false);
    };
    document.addEventListener("keydown", closeByKey, true);
    const stopFollowing = whenMoved(trigger, close);
    return () => {
      stopFollowing();
      lastClosedMs = performance.now();
      if (closeOpenOne === close) closeOpenOne = null;
      document.removeEventListener("keydown", closeByKey, true);
    };
  }, [isOpen, trigger]);
  // The tooltip keeps itself open while the pointer is on it.
  return useMemo(
    () => ({ isOpen, open: () => setOpen(true), close: () => setOpen(false), shouldSkipAnimation: false }),
    [isOpen],
  );
}

/** A control that moves, because the page grew or shrank, would end up below its own tooltip. Returns what stops it. */
function whenMoved(trigger: Element, onMoved: () => void): () => void {
  const { top, left } = trigger.getBoundingClientRect();
  let frame = requestAnimationFrame(function look() {
    const now = trigger.getBoundingClientRect();
    if (Math.abs(now.top - top) > 1 || Math.abs(now.left - left) > 1) onMoved();
    else frame = requestAnimationFrame(look);
  });
  return () => cancelAnimationFrame(frame);
}
