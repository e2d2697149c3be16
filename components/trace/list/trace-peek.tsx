"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp, Maximize2, X } from "lucide-react";
import dynamic from "next/dynamic";
import { LinkButton } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { QueryState } from "@/components/ui/states/query-state";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { StateChip } from "@/components/ui/states/state-ring";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { readTraceQuery } from "@/lib/client/trace/read/read-queries";
import { splitTime } from "@/lib/client/trace/span-wait";
import { traceNote } from "@/lib/client/trace/trace-note";
import { formatCost } from "@/lib/client/ui/text/format";
import { useSecondWhile } from "@/lib/client/ui/use-now";
import { formatDuration } from "@/lib/schema/format-duration";
import { hasEnded } from "@/lib/schema/runs/run";
import { versionLabel } from "@/lib/schema/runs/run-version";
import type { TraceSummary } from "@/lib/schema/traces/trace";

const PeekText = dynamic(async () => (await loadWithRetry(() => import("./peek-text"))).PeekText, {
  loading: () => <SkeletonList label="Loading the text" rows={8} className="p-4" />,
});

export interface TracePeekProps {
  trace: TraceSummary;
  onMove: (by: 1 | -1) => void;
  onClose: () => void;
}

/** A run as one text beside the list, without leaving it. */
export function TracePeek({ trace, onMove, onClose }: TracePeekProps) {
  const isOpen = !hasEnded(trace.status);
  const query = useQuery(readTraceQuery(trace.id, isOpen));
  const second = useSecondWhile(isOpen);
  const { workedMs, waitedMs } = splitTime(trace, second ?? Date.parse(trace.startedAt));
  const name = trace.message ?? trace.title ?? "Untitled run";
  return (
    <aside
      aria-label="Run"
      className="flex w-[396px] shrink-0 flex-col border-l border-border bg-surface max-lg:hidden"
    >
      <header className="flex h-11 shrink-0 items-center gap-1 border-b border-border pr-2 pl-4">
        <h2 className="min-w-0 flex-1 truncate text-sm font-semibold" title={name}>
          {name}
        </h2>
        <IconButton label="Run above" onPress={() => onMove(-1)}>
          <ChevronUp />
        </IconButton>
        <IconButton label="Run below" onPress={() => onMove(1)}>
          <ChevronDown />
        </IconButton>
        <LinkButton
          href={`/traces/${encodeURIComponent(trace.runId)}`}
          variant="ghost"
          title="Open the trace"
          className="w-7 px-0"
        >
          <Maximize2 aria-hidden />
        </LinkButton>
        <IconButton label="Close" shortcut="Esc" onPress={onClose}>
          <X />
        </IconButton>
      </header>
      <p className="tnum flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 border-b border-border px-4 py-1 text-xs text-muted">
        <StateChip status={trace.status} note={traceNote(trace)} />
        <span>
          {trace.agentName} {versionLabel(trace.agentVersion)}
        </span>
        <span>{formatCost(trace.costUsd)}</span>
        <span className="ml-auto">worked {formatDuration(workedMs)}</span>
        {waitedMs === 0 ? null : <span className="text-signal-text">waited {formatDuration(waitedMs)}</span>}
      </p>
      <QueryState what="text of this run" query={query}>
        {(text) => <PeekText key={trace.id} trace={text} />}
      </QueryState>
    </aside>
  );
}
