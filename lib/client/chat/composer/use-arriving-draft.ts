"use client";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/**
 * A draft that is put into the field as its page comes alive, while a person is already in the empty field, is selected:
 * what they type replaces it instead of being written behind it, an arrow key keeps it, and undo brings it back.
 */
export function useArrivingDraft(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  const isAwaited = useRef(false);
  useLayoutEffect(() => {
    const input = field.current;
    isAwaited.current = input !== null && input === document.activeElement && input.value === "";
    const isTyping = () => {
      isAwaited.current = false;
    };
    input?.addEventListener("input", isTyping);
    return () => input?.removeEventListener("input", isTyping);
  }, [field]);
  useLayoutEffect(() => {
    if (!isAwaited.current || text === "") return;
    isAwaited.current = false;
    field.current?.select();
  }, [field, text]);
  useEffect(() => {
    // What the browser keeps is read right after hydration; any later text is somebody's own.
    const timer = setTimeout(() => {
      isAwaited.current = false;
    });
    return () => clearTimeout(timer);
  }, []);
}
