"use client";
import { type RefObject, useEffect, useState } from "react";
import type { Timeline } from "@/lib/client/trace/span-timeline";
import type { SpanRow } from "@/lib/client/trace/span-tree";
import { Minimap } from "./minimap";

export interface TraceMinimapProps {
  rows: readonly SpanRow[];
  timeline: Timeline;
  scroller: RefObject<HTMLDivElement | null>;
}

const EVERYTHING = { from: 0, to: 1 };

/** Follows the list's scrolling and moves it. Has its own state, so that scrolling rerenders nothing else. */
export function TraceMinimap({ rows, timeline, scroller }: TraceMinimapProps) {
  const [shown, setShown] = useState(EVERYTHING);
  // The list's height changes with its rows, not only with scrolling.
  const rowCount = rows.length;
  useEffect(() => {
    const list = scroller.current;
    if (!list || rowCount === 0) return;
    const measure = () => {
      const whole = Math.max(1, list.scrollHeight);
      setShown({ from: list.scrollTop / whole, to: Math.min(1, (list.scrollTop + list.clientHeight) / whole) });
    };
    measure();
    // Runs before the list's own listener renders other rows: after that, each read would force a layout.
    const early = { passive: true, capture: true };
    list.addEventListener("scroll", measure, early);
    const resize = new ResizeObserver(measure);
    resize.observe(list);
    return () => {
      list.removeEventListener("scroll", measure, early);
      resize.disconnect();
    };
  }, [scroller, rowCount]);
  const jump = (share: number) => {
    const list = scroller.current;
    if (list) list.scrollTop = share * list.scrollHeight - list.clientHeight / 2;
  };
  return <Minimap rows={rows} timeline={timeline} window={shown} onJump={jump} />;
}
