"use client";
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import type { Brush } from "@/lib/client/trace/use-trace-filters";
import type { ChartBucket } from "@/lib/schema/traces/list/charts";

/** First and last of some buckets, by their places. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

export interface BrushProps {
  buckets: readonly ChartBucket[];
  brush: Brush | null;
  onBrush: (brush: Brush | null) => void;
}

/** The buckets that a period touches; null if it touches none. */
function rangeOf(buckets: readonly ChartBucket[], brush: Brush | null): Range | null {
  if (brush === null) return null;
  const first = buckets.findIndex(({ until }) => until > brush.since);
  const last = buckets.findLastIndex(({ since }) => since < brush.until);
  return first < 0 || last < first ? null : { first, last };
}

const between = (a: number, b: number): Range => ({ first: Math.min(a, b), last: Math.max(a, b) });

interface Drag {
  readonly box: DOMRect;
  readonly anchor: number;
}

/** Where a key leads to from a place; undefined for other keys. */
function placeOfKey(key: string, place: number, last: number): number | undefined {
  if (key === "ArrowLeft" || key === "ArrowDown") return place - 1;
  if (key === "ArrowRight" || key === "ArrowUp") return place + 1;
  return key === "Home" ? 0 : key === "End" ? last : undefined;
}

function plotBox({ target }: PointerEvent): DOMRect | undefined {
  return target instanceof Element ? target.closest("[data-plot]")?.getBoundingClientRect() : undefined;
}

/** One brush for all charts: by pointer over an element with `data-plot`, or with the arrow keys over the buckets. */
export function useBrush({ buckets, brush, onBrush }: BrushProps) {
  const lastPlace = buckets.length - 1;
  const drag = useRef<Drag | null>(null);
  /** Where the keys began to extend the brush. */
  const anchor = useRef<number | null>(null);
  const [dragged, setDragged] = useState<Range | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const range = dragged ?? rangeOf(buckets, brush);
  const cursor = Math.min(chosen ?? range?.last ?? lastPlace, lastPlace);
  const commit = ({ first, last }: Range) => {
    const [from, to] = [buckets[first], buckets[last]];
    if (from && to) onBrush({ since: from.since, until: to.until });
  };
  const placeAt = (clientX: number, { left, width }: DOMRect) =>
    Math.min(lastPlace, Math.max(0, Math.floor(((clientX - left) / Math.max(1, width)) * buckets.length)));
  const stop = () => {
    drag.current = null;
    setDragged(null);
  };
  const move = (place: number, isExtending: boolean) => {
    const next = Math.min(lastPlace, Math.max(0, place));
    setChosen(next);
    if (!isExtending) {
      anchor.current = null;
      return;
    }
    anchor.current ??= cursor;
    commit(between(anchor.current, next));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const place = placeOfKey(event.key, cursor, lastPlace);
    if (place !== undefined) move(place, event.shiftKey);
    else if (event.key === "Enter") commit(between(cursor, cursor));
    else if (event.key === "Escape" && brush !== null) onBrush(null);
    else return;
    event.preventDefault();
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const box = plotBox(event);
    if (box === undefined || event.button !== 0) return;
    drag.current = { box, anchor: placeAt(event.clientX, box) };
    // A finger scrolls from chart to chart; it chooses by a tap.
    if (event.pointerType !== "touch") event.currentTarget.setPointerCapture?.(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (event.pointerType === "touch") return;
    const box = drag.current?.box ?? plotBox(event);
    const place = box === undefined ? null : placeAt(event.clientX, box);
    setPointed(place);
    if (drag.current !== null && place !== null) setDragged(between(drag.current.anchor, place));
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    if (drag.current === null) return;
    const { box, anchor: from } = drag.current;
    const to = event.pointerType === "touch" ? from : placeAt(event.clientX, box);
    stop();
    setChosen(to);
    anchor.current = from;
    commit(between(from, to));
  };
  const handlers = {
    ...{ onKeyDown, onPointerDown, onPointerMove, onPointerUp, onPointerCancel: stop },
    onPointerLeave: () => setPointed(null),
    onDoubleClick: () => onBrush(null),
  };
  return { range, cursor, pointed, handlers };
}
