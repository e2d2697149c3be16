"use client";
import { memo, type RefObject, useMemo } from "react";
import type { Tick, Timeline } from "@/lib/client/trace/span-timeline";
import type { SpanRow } from "@/lib/client/trace/span-tree";
import { useListKeys } from "@/lib/client/trace/use-list-keys";
import { useSpanWindow } from "@/lib/client/trace/use-span-window";
import type { SpanLayout } from "@/lib/client/trace/use-trace-layout";
import { classNames } from "@/lib/client/ui/class-names";
import { PhoneSpanRow } from "./phone-span-row";
import { IdleBands, LANES, LaneGrid, SpanRowContent, spanRowStyle, TREE_COLUMN } from "./span-row";

export interface SpanListProps {
  rows: readonly SpanRow[];
  layout: SpanLayout;
  timeline: Timeline;
  ticks: readonly Tick[];
  critical: ReadonlySet<string>;
  /** By span, where people wrote some. */
  noteCounts: ReadonlyMap<string, number>;
  activeId: string | null;
  /** The search that produced the rows. */
  search: string;
  scroller: RefObject<HTMLDivElement | null>;
  isPhone: boolean;
  onSelect: (id: string) => void;
  onToggle: (id: string) => void;
  /** Keys that move through the list; true if it was handled. */
  onKey: (key: string) => boolean;
}

const ROW_HEIGHT = 24;
const PHONE_ROW_HEIGHT = 46;

/** Tree and waterfall are one virtual list: a row is a span; the root stays visible. */
export function SpanList(props: SpanListProps) {
  const { rows, layout, isPhone, scroller, activeId, search } = props;
  const root = rows[0];
  const rest = useMemo(() => rows.slice(1), [rows]);
  const height = isPhone ? PHONE_ROW_HEIGHT : ROW_HEIGHT;
  const shown = { rows: rest, rowHeight: height, activeId, search, scroller };
  const { mounted, inOrder, ...list } = useSpanWindow(shown);
  const onKeyDown = useListKeys(scroller, props.onKey);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {isPhone ? null : <ListHead layout={layout} ticks={props.ticks} timeline={props.timeline} />}
      <div
        ref={scroller}
        role="tree"
        aria-label="Spans"
        aria-activedescendant={
          activeId !== null && (list.holdsActive || activeId === root?.node.id) ? rowId(activeId) : undefined
        }
        aria-owns={root && inOrder ? [root.node.id, ...inOrder].map(rowId).join(" ") : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        // A focused row may be reused for another span, or removed, so the list keeps the focus.
        onFocus={(event) => event.currentTarget.focus({ preventScroll: true })}
        className="min-h-0 flex-1 overflow-y-auto outline-offset-[-2px]"
      >
        {root ? (
          <Row
            {...rowProps(props, root)}
            ticks={props.ticks}
            className="sticky top-0 z-2 border-b border-separator bg-surface"
          />
        ) : null}
        <div role="none" className="relative" style={{ height: list.height }}>
          {layout === "waterfall" && !isPhone ? (
            <div aria-hidden="true" className={LANES}>
              <LaneGrid ticks={props.ticks} timeline={props.timeline} />
            </div>
          ) : null}
          {mounted.map(({ slot, row, top }) => (
            <Row key={slot} {...rowProps(props, row)} className="absolute inset-x-0 [contain:strict]" top={top} />
          ))}
        </div>
      </div>
    </div>
  );
}

type RowProps = Pick<SpanListProps, "layout" | "timeline" | "isPhone" | "onSelect" | "onToggle"> & {
  row: SpanRow;
  /** Only for the root, which covers the lines behind it. */
  ticks?: readonly Tick[];
  isActive: boolean;
  isCritical: boolean;
  noteCount: number;
  className?: string;
  top?: number;
};

function rowProps(list: SpanListProps, row: SpanRow): RowProps {
  const { layout, timeline, isPhone, onSelect, onToggle } = list;
  const { id } = row.node;
  const marks = {
    isActive: id === list.activeId,
    isCritical: list.critical.has(id),
    noteCount: list.noteCounts.get(id) ?? 0,
  };
  return { row, layout, timeline, isPhone, onSelect, onToggle, ...marks };
}

function rowId(spanId: string): string {
  return `row-${spanId}`;
}

/** Rerendered only when something of its own changed: scrolling moves rows in and out without rerendering them. */
const Row = memo(function Row({ row, isActive, isPhone, className, top, ...shown }: RowProps) {
  const { id, children } = row.node;
  const style = isPhone ? null : spanRowStyle(row, shown.layout);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
    <div
      id={rowId(id)}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.depth + 1}
      aria-selected={isActive}
      aria-expanded={children.length > 0 ? row.open : undefined}
      onClick={() => shown.onSelect(id)}
      className={classNames(
        "cursor-default hover:bg-default aria-selected:bg-selection",
        isPhone ? "block" : "span-guides flex items-center gap-1.5",
        className,
      )}
      style={{ height: isPhone ? PHONE_ROW_HEIGHT : ROW_HEIGHT, top, ...style }}
    >
      {isActive ? <span className="absolute inset-y-0 left-0 w-0.5 bg-focus" /> : null}
      {isPhone ? <PhoneSpanRow row={row} {...shown} /> : <SpanRowContent row={row} {...shown} />}
    </div>
  );
});

function ListHead({ layout, ticks, timeline }: { layout: SpanLayout; ticks: readonly Tick[]; timeline: Timeline }) {
  return (
    <div className="flex h-7 shrink-0 border-b border-border bg-background text-2xs text-muted">
      <div
        className={classNames("flex items-center pr-3 pl-3", layout === "waterfall" ? TREE_COLUMN : "min-w-0 flex-1")}
      >
        <span className="flex-1">Span</span>
        <span className="w-14 text-right">Tokens</span>
        <span className="w-14 text-right">Cost</span>
        {layout === "tree" ? <span className="w-[86px] text-right">Time</span> : null}
      </div>
      {layout === "waterfall" ? (
        <div className="tnum ml-3 flex-1 overflow-x-clip">
          <div className="relative mr-20 h-full">
            <IdleBands timeline={timeline} />
            {ticks.map((tick) => (
              <span
                key={tick.atMs}
                className="absolute top-1.5 whitespace-nowrap leading-none"
                style={{ left: `${tick.left}%` }}
              >
                {tick.words}
              </span>
            ))}
          </div>
        </div>
      ) : null}
    </div>
  );
}
