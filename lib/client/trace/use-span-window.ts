"use client";
import { useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useMemo, useRef } from "react";
import type { SpanRow } from "./span-tree";

const OVERSCAN = 4;

interface Options {
  /** All rows but the root, which always stays in sight above them. */
  readonly rows: readonly SpanRow[];
  readonly rowHeight: number;
  readonly activeId: string | null;
  /** What the rows were searched for. */
  readonly search: string;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

export interface MountedRow {
  /** Which element the row is drawn into; in order of these. */
  readonly slot: number;
  readonly row: SpanRow;
  /** From the top of the list below the root, in px. */
  readonly top: number;
}

/**
 * The rows in sight, and those next to them. A row that leaves at one end is filled again at the other, which costs half
 * of making a new one; the elements keep their places, so `inOrder` tells how the rows follow each other. It is null
 * while the list is scrolled.
 */
export function useSpanWindow({ rows, rowHeight, activeId, search, scroller }: Options) {
  // The same function as long as the rows are the same: another one makes the virtualizer measure all of them again.
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
  // Not when rows above it are folded or arrive: somebody may be looking at another part of the list.
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
    /** Whether the active row is drawn: only then it can be pointed at. */
    holdsActive: inOrder.some(({ row }) => row.node.id === activeId),
  };
}
