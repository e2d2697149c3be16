"use client";
import { type RefObject, useEffectEvent, useLayoutEffect, useState, useSyncExternalStore } from "react";

export interface EarlyTypingOptions {
  readonly field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>;
  readonly value: string | undefined;
  readonly onChange: ((text: string) => void) | undefined;
}

/**
 * Adopts what was typed into a server-rendered field, or filled in by the browser, before hydration: React would
 * replace it with its own `value`. Returns whether a field may take the focus: not while an input had it during
 * hydration.
 */
export function useEarlyTyping({ field, value, onChange }: EarlyTypingOptions): boolean {
  const takeOver = useEffectEvent(() => {
    const typed = field.current?.value ?? "";
    if (typed !== "" && typed !== (value ?? "")) onChange?.(typed);
  });
  useLayoutEffect(() => takeOver(), []);
  const isComingAlive = useIsHydrated();
  const [mayTakeFocus] = useState(() => !(isComingAlive && isInputFocused()));
  return mayTakeFocus;
}

/** Whether the first render is that of hydration. It stays so: otherwise each field would be rendered again after it. */
function useIsHydrated(): boolean {
  const [hydration] = useState(() => ({ isIt: false }));
  return useSyncExternalStore(
    never,
    () => hydration.isIt,
    () => {
      hydration.isIt = true;
      return true;
    },
  );
}

const never = () => () => undefined;

function isInputFocused(): boolean {
  return typeof document !== "undefined" && document.activeElement instanceof HTMLInputElement;
}
