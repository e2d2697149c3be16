"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useRef } from "react";
import { useMarks } from "@/lib/client/chat/find/use-marks";
import type { ReadRow } from "@/lib/client/trace/read/read-rows";
import type { Reading } from "@/lib/client/trace/read/use-reading";
import type { Note } from "@/lib/schema/traces/note";
import type { ReadPassage } from "@/lib/schema/traces/read-trace";
import { ReadRowView } from "./read-passage";

export interface ReadTextProps {
  reading: Reading;
  traceId: string;
  notes: readonly Note[];
  scroller: RefObject<HTMLDivElement | null>;
  /** The address of a passage. */
  linkTo: (passageId: string) => string;
}

/** The text of a run; only what is in view is mounted. */
export function ReadText({ reading, traceId, notes, scroller, linkTo }: ReadTextProps) {
  const { rows, current, hit, search } = reading;
  // Stable as long as the rows are: a new function makes the virtualizer measure everything again.
  const getItemKey = useCallback((index: number) => rows[index]?.key ?? index, [rows]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimateOf(rows[index]),
    getItemKey,
    overscan: 8,
    initialRect: { width: 800, height: 900 },
  });
  const indexOf = (key: string) => rows.findIndex((row) => row.key === key);
  const place = useRef({ indexOf, virtualizer });
  useEffect(() => {
    place.current = { indexOf, virtualizer };
  });
  useEffect(() => {
    if (current === null) return;
    const index = place.current.indexOf(current);
    if (index >= 0) place.current.virtualizer.scrollToIndex(index, { align: "start" });
  }, [current]);
  useMarks({
    scroller,
    words: search,
    place: hit === undefined ? null : { key: hit.passageId, nth: hit.nth },
    indexOf,
    onShow: (index) => virtualizer.scrollToIndex(index, { align: "center" }),
  });
  return (
    <section
      ref={scroller}
      aria-label="Text of the run"
      className="min-h-0 min-w-0 flex-1 overflow-y-auto -outline-offset-2 [overflow-anchor:none]"
      {...{ tabIndex: 0 }}
    >
      <div
        className="relative mx-auto w-full max-w-[848px] px-6 max-sm:px-3"
        style={{ height: virtualizer.getTotalSize() + 48 }}
      >
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index];
          return row ? (
            <div
              key={key}
              data-index={index}
              ref={virtualizer.measureElement}
              className="absolute inset-x-6 top-4 max-sm:inset-x-3"
              style={{ transform: `translateY(${start}px)` }}
            >
              <ReadRowView
                row={row}
                traceId={traceId}
                notes={notes}
                isCurrent={row.key === current}
                onToggle={reading.toggle}
                linkTo={linkTo}
              />
            </div>
          ) : null;
        })}
      </div>
    </section>
  );
}

const ESTIMATES: Readonly<Record<ReadPassage["kind"], number>> = {
  message: 72,
  step: 32,
  thought: 32,
  answer: 60,
  call: 32,
  wait: 64,
  notice: 32,
};

function estimateOf(row: ReadRow | undefined): number {
  if (row === undefined || "run" in row) return 32;
  return row.isOpen ? 240 : ESTIMATES[row.passage.kind];
}
