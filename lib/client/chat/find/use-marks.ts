"use client";
import { type RefObject, useEffect, useRef } from "react";
import { clearMarks, markRanges, rangesOf } from "./mark-matches";

export interface Marked {
  /** The box that scrolls; what is in it has the attribute `data-index`. */
  readonly scroller: RefObject<HTMLElement | null>;
  readonly words: string;
  /** The current match: the `nth` in the part with this key. */
  readonly place: { readonly key: string; readonly nth: number } | null;
  /** The index of a part; -1 if there is none. */
  readonly indexOf: (key: string) => number;
  /** Mounts the part at this index. */
  readonly onShow: (index: number) => void;
}

/** About half a second: as long as a part takes to be mounted and measured. */
const MOST_FRAMES = 30;
const SETTLED_FRAMES = 4;

/** Keeps the words highlighted in what is mounted, and scrolls to the current match when it changes. */
export function useMarks({ scroller, words, place, indexOf, onShow }: Marked): void {
  const latest = useRef({ indexOf, onShow });
  useEffect(() => {
    latest.current = { indexOf, onShow };
  });
  const { key, nth } = place ?? { key: null, nth: 0 };
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const mark = () => {
      const index = key === null ? -1 : latest.current.indexOf(key);
      const element = box.querySelector(`[data-index="${index}"]`);
      const own = element === null ? [] : rangesOf(element, words);
      const now = own[Math.min(nth, own.length - 1)];
      markRanges(
        [...box.querySelectorAll("[data-index]")].flatMap((one) => rangesOf(one, words)),
        now,
      );
      return { index, found: now ?? element };
    };
    let [frame, frames, settled] = [0, 0, 0];
    const isDone = () => settled >= SETTLED_FRAMES || frames >= MOST_FRAMES;
    const reveal = () => {
      const { index, found } = mark();
      if (index < 0) return;
      if (found === null) latest.current.onShow(index);
      else settled = bringIntoView(box, found.getBoundingClientRect()) ? 0 : settled + 1;
      frames += 1;
      if (!isDone()) frame = requestAnimationFrame(reveal);
    };
    frame = requestAnimationFrame(reveal);
    const changes = new MutationObserver(() => {
      if (isDone()) mark();
    });
    changes.observe(box, { childList: true, subtree: true, characterData: true });
    return () => {
      cancelAnimationFrame(frame);
      changes.disconnect();
      clearMarks();
    };
  }, [scroller, words, key, nth]);
}

/** The bar itself is above it. */
const MARGIN_PX = 56;

/** Resolves to whether it had to scroll. */
function bringIntoView(box: HTMLElement, place: DOMRect): boolean {
  const { top, bottom } = box.getBoundingClientRect();
  if (place.top >= top + MARGIN_PX && place.bottom <= bottom - 16) return false;
  const before = box.scrollTop;
  box.scrollTop += place.top - top - box.clientHeight / 3;
  return box.scrollTop !== before;
}
