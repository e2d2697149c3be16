"use client";
import { type RefObject, useEffectEvent, useLayoutEffect, useState, useSyncExternalStore } from "react";

export interface EarlyTypingOptions {
  readonly field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>;
  readonly value: string | undefined;
  readonly onChange: ((text: string) => void) | undefined;
}

/**
 * Takes over what was typed into a field of the server's page, or filled in by the browser, before the scripts came:
 * the page would put its own `value` in its place. Returns whether a field may take the focus, which is false while
 * the page comes alive and somebody types already.
 */
export function useEarlyTyping({ field, value, onChange }: EarlyTypingOptions): boolean {
  const takeOver = useEffectEvent(() => {
    const typed = field.current?.value ?? "";
    if (typed !== "" && typed !== (value ?? "")) onChange?.(typed);
  });
  useLayoutEffect(() => takeOver(), []);
  const isComingAlive = useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
  const [mayTakeFocus] = useState(() => !(isComingAlive && isSomebodyTyping()));
  return mayTakeFocus;
}

const never = () => () => undefined;

function isSomebodyTyping(): boolean {
  return typeof document !== "undefined" && document.activeElement instanceof HTMLInputElement;
}
