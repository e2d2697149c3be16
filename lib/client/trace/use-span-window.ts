"use client";
import { useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useMemo, useRef } from "react";
import type { SpanRow } from "./span-tree";

const OVERSCAN = 4;

interface Options {
  /** All rows but the root, which is always visible above them. */
  readonly rows: readonly SpanRow[];
  readonly rowHeight: number;
  readonly activeId: string | null;
  /** The search that produced the rows. */
  readonly search: string;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

export interface MountedRow {
  /** The element that draws the row; the rows are in slot order. */
  readonly slot: number;
  readonly row: SpanRow;
  /** From the top of the list below the root, in px. */
  readonly top: number;
}

/**
 * The visible rows, and those next to them. A row that leaves at one end is reused at the other, which costs half as
 * much as a new one; the elements keep their places, so `inOrder` gives the order of the rows. It is null while the
 * list scrolls.
 */
export function useSpanWindow({ rows, rowHeight, activeId, search, scroller }: Options) {
  // Stable as long as the rows are: a new function makes the virtualizer measure all of them again.
  const getItemKey = useCallback((index: number) => rows[index]?.node.id ?? index, [rows]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey,
    scrollMargin: rowHeight,
    scrollPaddingStart: rowHeight,
    overscan: OVERSCAN,
  });
  const activeIndex = useMemo(() => rows.findIndex((row) => row.node.id === activeId), [rows, activeId]);
  // Not if rows above it are folded or arrive: somebody may be looking at another part of the list.
  const scrolledFor = useRef("");
  const cause = `${activeId} ${search}`;
  useEffect(() => {
    if (activeIndex < 0 || scrolledFor.current === cause) return;
    scrolledFor.current = cause;
    virtualizer.scrollToIndex(activeIndex, { align: "auto" });
  }, [activeIndex, cause, virtualizer]);

  const items = virtualizer.getVirtualItems();
  const slots = Math.ceil((virtualizer.scrollRect?.height ?? 0) / rowHeight) + 2 * OVERSCAN + 2;
  const place = ({ index, start }: VirtualItem): MountedRow[] => {
    const row = rows[index];
    return row ? [{ slot: index % slots, row, top: start - rowHeight }] : [];
  };
  const inOrder = items.flatMap(place);
  return {
    mounted: inOrder.toSorted((left, right) => left.slot - right.slot),
    inOrder: virtualizer.isScrolling ? null : inOrder.map(({ row }) => row.node.id),
    height: virtualizer.getTotalSize(),
    /** Whether the active row is rendered: only then can it be referenced. */
    holdsActive: inOrder.some(({ row }) => row.node.id === activeId),
  };
}
