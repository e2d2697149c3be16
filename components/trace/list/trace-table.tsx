"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import Link from "next/link";
import { useCallback, useEffect, useRef } from "react";
import { StateChip } from "@/components/ui/states/state-ring";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { ChosenColumns } from "@/lib/client/trace/list/use-trace-columns";
import { splitTime } from "@/lib/client/trace/span-wait";
import { failureCause, traceNote } from "@/lib/client/trace/trace-note";
import { classNames } from "@/lib/client/ui/class-names";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { useMediaQuery } from "@/lib/client/ui/use-browser";
import { useSecond } from "@/lib/client/ui/use-now";
import type { RunStatus } from "@/lib/schema/runs/run";
import type { TraceOrder, TraceSummary } from "@/lib/schema/traces/trace";
import { COLUMNS, HIDDEN_ON_PHONES, type TraceColumn, visibilityOf } from "./trace-columns";

const FROM_A_TO_Z: ReadonlySet<TraceOrder> = new Set([
  ...(["status", "message", "agent", "model", "person", "thread", "origin"] as const),
]);

const ROW_HEIGHT = 34;
const TOUCH_ROW_HEIGHT = 44;

export interface TraceTableProps {
  traces: readonly TraceSummary[];
  hasMore: boolean;
  /** Called when the end of the list is near. */
  onMore: () => void;
  order: TraceOrder;
  onSort: (order: TraceOrder) => void;
  /** The runs that are ticked. */
  ticked: ReadonlySet<string>;
  onTick: (runId: string) => void;
  columns: ChosenColumns;
  /** The run that is open beside the list; null: none is. */
  peeked: string | null;
  onPeek: (runId: string | null) => void;
}

/** However many rows there are, only the visible ones are in the DOM. */
export function TraceTable({
  traces,
  hasMore,
  onMore,
  order,
  onSort,
  ticked,
  onTick,
  columns: { chosen },
  peeked,
  onPeek,
}: TraceTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const isTouch = useMediaQuery("(pointer: coarse)");
  const rowHeight = isTouch ? TOUCH_ROW_HEIGHT : ROW_HEIGHT;
  const second = useSecond();
  const longestMs = Math.max(1, ...traces.map((trace) => trace.durationMs ?? 0));
  const getItemKey = useCallback((index: number) => traces[index]?.id ?? index, [traces]);
  const virtualizer = useVirtualizer({
    count: traces.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey,
    overscan: 8,
  });
  const items = virtualizer.getVirtualItems();
  const lastSeen = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastSeen >= traces.length - 10) onMore();
  }, [hasMore, lastSeen, traces.length, onMore]);
  const move = (by: number) => {
    const links = [...(scroller.current?.querySelectorAll<HTMLElement>("[data-trace]") ?? [])];
    const at = links.findIndex((link) => link.matches(":focus"));
    links[at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
  };
  const tick = () => {
    const { activeElement } = document;
    const runId = activeElement instanceof HTMLElement ? activeElement.dataset.trace : undefined;
    if (runId !== undefined) onTick(runId);
  };
  useShortcuts({ j: () => move(1), k: () => move(-1), x: tick });
  const shown = COLUMNS.flatMap((column) => {
    const isShown = chosen === null ? column.standard !== null : chosen.has(column.id);
    return isShown ? [{ column, visibility: visibilityOf(column, chosen !== null) }] : [];
  });
  const sortable = (by: TraceOrder) => ({
    sort: { isSorted: by === order, isAscending: FROM_A_TO_Z.has(by), onSort: () => onSort(by) },
  });
  const head = [
    { id: "tick", label: "Ticked", isLabelHidden: true, className: HIDDEN_ON_PHONES },
    { id: "status", label: "Status", ...sortable("status") },
    { id: "title", label: "Run", className: "w-full", ...sortable("message") },
    ...shown.map(({ column: { id, label, isLabelHidden, align, order: by }, visibility }) => ({
      ...{ id, label, isLabelHidden, align, className: visibility },
      ...(by === undefined ? {} : sortable(by)),
    })),
  ];
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div ref={scroller} className="h-full overflow-auto">
      <Table label="Traces">
        <TableHead columns={head} />
        <tbody>
          <Spacer height={above} columns={head.length} />
          {items.map((item) => {
            const trace = traces[item.index];
            return trace ? (
              <Row
                key={item.key}
                trace={trace}
                columns={shown}
                nowMs={second}
                longestMs={longestMs}
                isTicked={ticked.has(trace.runId)}
                peeked={peeked}
                onPeek={onPeek}
                onTick={onTick}
              />
            ) : null;
          })}
          <Spacer height={below} columns={head.length} />
        </tbody>
      </Table>
    </div>
  );
}

function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null;
  return (
    <tr>
      <td aria-hidden="true" colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
}

const EDGES: Partial<Record<RunStatus, "live" | "signal">> = { running: "live", waiting: "signal" };
interface RowProps {
  trace: TraceSummary;
  columns: readonly { readonly column: TraceColumn; readonly visibility: string }[];
  nowMs: number | null;
  longestMs: number;
  isTicked: boolean;
  peeked: string | null;
  onPeek: (runId: string | null) => void;
  onTick: (runId: string) => void;
}

function Row({ trace, columns, nowMs, longestMs, isTicked, onTick, peeked, onPeek }: RowProps) {
  const times = splitTime(trace, nowMs ?? Date.parse(trace.startedAt));
  const row = { trace, nowMs, longestMs, ...times };
  return (
    <TableRow edge={EDGES[trace.status]} isSelected={peeked === trace.runId}>
      <TableCell className={`pr-0 ${HIDDEN_ON_PHONES}`}>
        <input
          type="checkbox"
          aria-label={`Tick ${nameOf(trace)}`}
          checked={isTicked}
          onChange={() => onTick(trace.runId)}
          className="relative z-1 block size-3.5 accent-foreground"
        />
      </TableCell>
      <TableCell>
        <StateChip status={trace.status} note={traceNote(trace)} />
      </TableCell>
      <RunCell trace={trace} peeked={peeked} onPeek={onPeek} />
      {columns.map(({ column, visibility }) => (
        <TableCell key={column.id} align={column.align} className={classNames(column.className?.(row), visibility)}>
          {column.cell(row)}
        </TableCell>
      ))}
    </TableRow>
  );
}

/** The message that started the run: its thread's title and its error show on hover. */
function RunCell({ trace, peeked, onPeek }: Pick<RowProps, "trace" | "peeked" | "onPeek">) {
  const cause = failureCause(trace);
  return (
    <TableCell className="max-w-0 truncate font-medium">
      <Link
        data-trace={trace.runId}
        href={`/traces/${encodeURIComponent(trace.runId)}`}
        title={trace.error ?? (trace.message === null ? undefined : (trace.title ?? undefined))}
        onKeyDown={(event) => {
          if (event.key !== " ") return;
          event.preventDefault();
          onPeek(peeked === trace.runId ? null : trace.runId);
        }}
        onFocus={() => {
          if (peeked !== null && peeked !== trace.runId) onPeek(trace.runId);
        }}
        className="after:absolute after:inset-0"
      >
        {nameOf(trace)}
      </Link>
      {cause === null ? null : <span className="pl-2 text-xs font-normal text-fail-text">{cause}</span>}
    </TableCell>
  );
}

function nameOf({ message, title }: TraceSummary): string {
  return message ?? title ?? "Untitled run";
}
