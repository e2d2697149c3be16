"use client";
import { type TouchEvent, useRef } from "react";

/** A shorter way is a tap or a trembling finger. */
const LEAST_PX = 48;

/** Handlers for a box in which a finger that goes sideways turns the page: 1 forwards, to the left, and -1 back. */
export function useSwipe(onSwipe: (by: 1 | -1) => void) {
  const start = useRef<{ x: number; y: number } | null>(null);
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const finger = touches[0];
      start.current = finger !== undefined && touches.length === 1 ? { x: finger.clientX, y: finger.clientY } : null;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const from = start.current;
      const finger = changedTouches[0];
      start.current = null;
      if (from === null || finger === undefined) return;
      const [x, y] = [finger.clientX - from.x, finger.clientY - from.y];
      if (Math.abs(x) >= LEAST_PX && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? 1 : -1);
    },
    onTouchCancel: () => {
      start.current = null;
    },
  };
}
