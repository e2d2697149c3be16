"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import Link from "next/link";
import { useCallback, useEffect, useRef } from "react";
import { StateChip } from "@/components/ui/states/state-ring";
import { DurationBar, Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { TokenCount } from "@/components/ui/token-count";
import { splitTime } from "@/lib/client/trace/span-wait";
import { failureCause, shortModelName, traceNote } from "@/lib/client/trace/trace-note";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { formatClock, formatCost, formatCount, formatExact } from "@/lib/client/ui/text/format";
import { useMediaQuery } from "@/lib/client/ui/use-browser";
import { useSecond } from "@/lib/client/ui/use-now";
import { formatDuration } from "@/lib/schema/format-duration";
import type { RunStatus } from "@/lib/schema/runs/run";
import { versionLabel } from "@/lib/schema/runs/run-version";
import { readUsage, totalTokens } from "@/lib/schema/runs/usage";
import type { TraceOrder, TraceSummary } from "@/lib/schema/traces/trace";

const HIDDEN_ON_PHONES = "max-md:hidden";
const HIDDEN_WHEN_NARROW = "max-lg:hidden";
/** The message needs the room more. */
const HIDDEN_UNLESS_WIDE = "max-2xl:hidden";

const COLUMNS = [
  { id: "tick", label: "Ticked", isLabelHidden: true, className: HIDDEN_ON_PHONES },
  { id: "status", label: "Status" },
  { id: "title", label: "Run", className: "w-full" },
  { id: "agent", label: "Agent", className: HIDDEN_ON_PHONES },
  { id: "model", label: "Model", className: HIDDEN_UNLESS_WIDE },
  { id: "steps", label: "Steps", align: "right", className: HIDDEN_UNLESS_WIDE },
  { id: "tokens", label: "Tokens", align: "right", className: HIDDEN_ON_PHONES },
  { id: "cost", label: "Cost", align: "right" },
  { id: "duration", label: "Worked", align: "right", className: HIDDEN_ON_PHONES },
  { id: "waited", label: "Waited", align: "right", className: HIDDEN_WHEN_NARROW },
  { id: "bar", label: "Duration bar", isLabelHidden: true, className: HIDDEN_UNLESS_WIDE },
  { id: "by", label: "By", className: HIDDEN_WHEN_NARROW },
  { id: "started", label: "Started", align: "right" },
] as const;

/** Columns that the list can be sorted by. */
const ORDER_OF: Readonly<Record<string, TraceOrder>> = {
  ...{ status: "status", title: "message", agent: "agent", model: "model", steps: "steps", tokens: "tokens" },
  ...{ cost: "cost", duration: "worked", waited: "waited", by: "person", started: "started" },
};
const FROM_A_TO_Z: ReadonlySet<TraceOrder> = new Set(["status", "message", "agent", "model", "person"]);

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
}

/** However many rows there are, only the visible ones are in the DOM. */
export function TraceTable({ traces, hasMore, onMore, order, onSort, ticked, onTick }: TraceTableProps) {
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
  const columns = COLUMNS.map((column) => {
    const by = ORDER_OF[column.id];
    if (by === undefined) return column;
    return {
      ...column,
      sort: { isSorted: by === order, isAscending: FROM_A_TO_Z.has(by), onSort: () => onSort(by) },
    };
  });
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div ref={scroller} className="h-full overflow-auto">
      <Table label="Traces">
        <TableHead columns={columns} />
        <tbody>
          <Spacer height={above} />
          {items.map((item) => {
            const trace = traces[item.index];
            return trace ? (
              <Row
                key={item.key}
                trace={trace}
                nowMs={second}
                longestMs={longestMs}
                isTicked={ticked.has(trace.runId)}
                onTick={onTick}
              />
            ) : null;
          })}
          <Spacer height={below} />
        </tbody>
      </Table>
    </div>
  );
}

function Spacer({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr>
      <td aria-hidden="true" colSpan={COLUMNS.length} style={{ height, padding: 0 }} />
    </tr>
  );
}

const EDGES: Partial<Record<RunStatus, "live" | "signal">> = { running: "live", waiting: "signal" };
const TONES: Partial<Record<RunStatus, "live" | "fail" | "limit">> = {
  running: "live",
  failed: "fail",
  limit: "limit",
};

interface RowProps {
  trace: TraceSummary;
  nowMs: number | null;
  longestMs: number;
  isTicked: boolean;
  onTick: (runId: string) => void;
}

function Row({ trace, nowMs, longestMs, isTicked, onTick }: RowProps) {
  const startedMs = Date.parse(trace.startedAt);
  const { workedMs, waitedMs } = splitTime(trace, nowMs ?? startedMs);
  const tookMs = workedMs + waitedMs;
  return (
    <TableRow edge={EDGES[trace.status]}>
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
      <RunCell trace={trace} />
      <TableCell className={`text-muted ${HIDDEN_ON_PHONES}`}>
        {trace.agentName} {versionLabel(trace.agentVersion)}
      </TableCell>
      <TableCell className={`font-mono text-2xs text-muted ${HIDDEN_UNLESS_WIDE}`}>
        <span title={trace.model ?? undefined}>{trace.model === null ? "unknown" : shortModelName(trace.model)}</span>
      </TableCell>
      <TableCell align="right" className={HIDDEN_UNLESS_WIDE}>
        {formatCount(trace.steps)}
      </TableCell>
      <TableCell align="right" className={HIDDEN_ON_PHONES}>
        <TokenCount tokens={totalTokens(readUsage(trace.usage))} usage={trace.usage} isShort />
      </TableCell>
      <TableCell align="right" className={trace.costUsd === null ? "text-subtle" : undefined}>
        {formatCost(trace.costUsd)}
      </TableCell>
      <TableCell align="right" className={`${HIDDEN_ON_PHONES} ${trace.status === "running" ? "text-live-text" : ""}`}>
        {trace.durationMs === null ? formatClock(workedMs) : formatDuration(workedMs)}
      </TableCell>
      <TableCell align="right" className={`text-muted ${HIDDEN_WHEN_NARROW}`}>
        {waitedMs === 0 ? null : <span title={`Waited ${formatDuration(waitedMs)}`}>{formatDuration(waitedMs)}</span>}
      </TableCell>
      <TableCell className={`pl-0 ${HIDDEN_UNLESS_WIDE}`}>
        <DurationBar
          share={tookMs / Math.max(longestMs, tookMs)}
          waitedShare={waitedMs / Math.max(1, tookMs)}
          tone={TONES[trace.status]}
        />
      </TableCell>
      <TableCell className={`max-w-32 truncate text-muted ${HIDDEN_WHEN_NARROW}`}>{trace.ownerName}</TableCell>
      <TableCell align="right" className="text-muted">
        <span title={nowMs === null ? undefined : formatExact(startedMs)}>
          <Time at={startedMs} />
        </span>
      </TableCell>
    </TableRow>
  );
}

/** The message that started the run: its thread's title and its error show on hover. */
function RunCell({ trace }: Pick<RowProps, "trace">) {
  const cause = failureCause(trace);
  return (
    <TableCell className="max-w-0 truncate font-medium">
      <Link
        data-trace={trace.runId}
        href={`/traces/${encodeURIComponent(trace.runId)}`}
        title={trace.error ?? (trace.message === null ? undefined : (trace.title ?? undefined))}
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
