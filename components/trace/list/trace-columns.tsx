import type { ReactNode } from "react";
import { DurationBar } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { TokenCount } from "@/components/ui/token-count";
import type { TraceColumnId } from "@/lib/client/trace/list/list-columns";
import { ORIGIN_LABELS } from "@/lib/client/trace/origin-labels";
import { shortModelName } from "@/lib/client/trace/trace-note";
import { formatClock, formatCost, formatCount, formatExact } from "@/lib/client/ui/text/format";
import { formatDuration } from "@/lib/schema/format-duration";
import type { RunStatus } from "@/lib/schema/runs/run";
import { versionLabel } from "@/lib/schema/runs/run-version";
import { readUsage, totalTokens } from "@/lib/schema/runs/usage";
import type { TraceOrder, TraceSummary } from "@/lib/schema/traces/trace";

export const HIDDEN_ON_PHONES = "max-md:hidden";
const HIDDEN_WHEN_NARROW = "max-lg:hidden";
/** The message needs the room more. */
const HIDDEN_UNLESS_WIDE = "max-2xl:hidden";

/** A row with the times that go on while its run does. */
interface TimedTrace {
  readonly trace: TraceSummary;
  readonly workedMs: number;
  readonly waitedMs: number;
  /** Of the longest run in the list. */
  readonly longestMs: number;
  /** Null while the page is rendered on the server. */
  readonly nowMs: number | null;
}

export interface TraceColumn {
  readonly id: TraceColumnId;
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly align?: "right";
  /** Where there is room for it, as long as nobody has chosen the columns; null: only once it is chosen. */
  readonly standard: string | null;
  readonly order?: TraceOrder;
  readonly cell: (row: TimedTrace) => ReactNode;
  readonly className?: (row: TimedTrace) => string;
}

const TONES: Partial<Record<RunStatus, "live" | "fail" | "limit">> = {
  running: "live",
  failed: "fail",
  limit: "limit",
};

const muted = () => "text-muted";
const name = () => "max-w-32 truncate text-muted";

export const COLUMNS: readonly TraceColumn[] = [
  {
    id: "thread",
    label: "Thread",
    standard: null,
    order: "thread",
    className: () => "max-w-48 truncate text-muted",
    cell: ({ trace }) => trace.title,
  },
  {
    id: "agent",
    label: "Agent",
    standard: HIDDEN_ON_PHONES,
    order: "agent",
    className: muted,
    cell: ({ trace }) => `${trace.agentName} ${versionLabel(trace.agentVersion)}`,
  },
  {
    id: "model",
    label: "Model",
    standard: HIDDEN_UNLESS_WIDE,
    order: "model",
    className: () => "font-mono text-2xs text-muted",
    cell: ({ trace: { model } }) => (
      <span title={model ?? undefined}>{model === null ? "unknown" : shortModelName(model)}</span>
    ),
  },
  {
    id: "origin",
    label: "Origin",
    standard: null,
    order: "origin",
    className: muted,
    cell: ({ trace }) => ORIGIN_LABELS[trace.origin.kind],
  },
  {
    id: "steps",
    label: "Steps",
    align: "right",
    standard: HIDDEN_UNLESS_WIDE,
    order: "steps",
    cell: ({ trace }) => formatCount(trace.steps),
  },
  {
    id: "tokens",
    label: "Tokens",
    align: "right",
    standard: HIDDEN_ON_PHONES,
    order: "tokens",
    cell: ({ trace: { usage } }) => <TokenCount tokens={totalTokens(readUsage(usage))} usage={usage} isShort />,
  },
  {
    id: "cost",
    label: "Cost",
    align: "right",
    standard: "",
    order: "cost",
    className: ({ trace }) => (trace.costUsd === null ? "text-subtle" : ""),
    cell: ({ trace }) => formatCost(trace.costUsd),
  },
  {
    id: "firstToken",
    label: "First token",
    align: "right",
    standard: null,
    order: "firstToken",
    className: muted,
    cell: ({ trace: { timeToFirstTokenMs } }) =>
      timeToFirstTokenMs === null ? null : formatDuration(timeToFirstTokenMs),
  },
  {
    id: "worked",
    label: "Worked",
    align: "right",
    standard: HIDDEN_ON_PHONES,
    order: "worked",
    className: ({ trace }) => (trace.status === "running" ? "text-live-text" : ""),
    cell: ({ trace, workedMs }) => (trace.durationMs === null ? formatClock(workedMs) : formatDuration(workedMs)),
  },
  {
    id: "waited",
    label: "Waited",
    align: "right",
    standard: HIDDEN_WHEN_NARROW,
    order: "waited",
    className: muted,
    cell: ({ waitedMs }) =>
      waitedMs === 0 ? null : <span title={`Waited ${formatDuration(waitedMs)}`}>{formatDuration(waitedMs)}</span>,
  },
  {
    id: "bar",
    label: "Duration bar",
    isLabelHidden: true,
    standard: HIDDEN_UNLESS_WIDE,
    className: () => "pl-0",
    cell: ({ trace, workedMs, waitedMs, longestMs }) => {
      const tookMs = workedMs + waitedMs;
      return (
        <DurationBar
          share={tookMs / Math.max(longestMs, tookMs)}
          waitedShare={waitedMs / Math.max(1, tookMs)}
          tone={TONES[trace.status]}
        />
      );
    },
  },
  {
    id: "by",
    label: "By",
    standard: HIDDEN_WHEN_NARROW,
    order: "person",
    className: name,
    cell: ({ trace }) => trace.ownerName,
  },
  {
    id: "started",
    label: "Started",
    align: "right",
    standard: "",
    order: "started",
    className: muted,
    cell: ({ trace, nowMs }) => {
      const startedMs = Date.parse(trace.startedAt);
      return (
        <span title={nowMs === null ? undefined : formatExact(startedMs)}>
          <Time at={startedMs} />
        </span>
      );
    },
  },
];

/** On phones a chosen column is shown only if it always is. */
export function visibilityOf({ standard }: TraceColumn, isChosen: boolean): string {
  if (!isChosen) return standard ?? "";
  return standard === "" ? "" : HIDDEN_ON_PHONES;
}
