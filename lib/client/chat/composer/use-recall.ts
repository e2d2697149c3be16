"use client";
import { type KeyboardEvent, useState } from "react";

const NOTHING: readonly string[] = [];

/**
 * Arrow up in an empty composer recalls the last sent text, further presses earlier ones; arrow down goes forward
 * again, and Escape back to the empty field. Once edited, recalled text is the person's own and the keys leave it
 * alone.
 */
export function useRecall(text: string, onText: (text: string) => void, sent: readonly string[] = NOTHING) {
  const [recalled, setRecalled] = useState<{ readonly back: number; readonly text: string } | null>(null);
  const isShown = recalled !== null && recalled.text === text;
  const show = (back: number) => {
    const found = sent.at(-back);
    if (back > 0 && found === undefined) return;
    setRecalled(back === 0 || found === undefined ? null : { back, text: found });
    onText(back === 0 ? "" : (found ?? ""));
  };
  return {
    /** True if it handled the key. */
    onKeyDown(event: KeyboardEvent): boolean {
      if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false;
      if (event.key === "ArrowUp" && (isShown || text === "") && sent.length > 0) show(isShown ? recalled.back + 1 : 1);
      else if (event.key === "ArrowDown" && isShown) show(recalled.back - 1);
      else if (event.key === "Escape" && isShown) show(0);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}
