"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Button } from "@/components/ui/controls/button";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { StateChip } from "@/components/ui/states/state-ring";
import { Time } from "@/components/ui/time";
import { type TraceListFilters, traceListQuery, traceQuery } from "@/lib/client/trace/trace-queries";
import { formatCost } from "@/lib/client/ui/text/format";
import { versionLabel } from "@/lib/schema/runs/run-version";
import type { TraceSummary } from "@/lib/schema/traces/trace";

const NO_FILTERS: Omit<TraceListFilters, "agentId"> = {
  ...{ status: "", tool: "", toolFailed: "", error: "", version: "", model: "", origin: "", person: "" },
  ...{ decision: "", score: "", notes: "", q: "", since: "", until: "", problemId: "", mine: false, hasError: false },
  ...{ minCostUsd: null, minWorkedMs: null, sort: "started" },
};

export interface PickRunProps {
  runId: string;
  onPick: (runId: string) => void;
}

/** The other runs of the same agent, newest first. */
export function PickRun({ runId, onPick }: PickRunProps) {
  const trace = useQuery(traceQuery(runId));
  return (
    <QueryState what="run" query={trace}>
      {(found) => <Runs trace={found} onPick={onPick} />}
    </QueryState>
  );
}

function Runs({ trace, onPick }: { trace: TraceSummary; onPick: (runId: string) => void }) {
  const list = useInfiniteQuery(traceListQuery({ ...NO_FILTERS, agentId: trace.agentId }));
  return (
    <section aria-labelledby="pick" className="min-h-0 flex-1 overflow-auto">
      <h2 id="pick" className="px-5 pt-4 pb-2 text-sm font-medium">
        Compare “{trace.message ?? trace.title ?? "Untitled run"}” with
      </h2>
      <QueryState what="runs" query={list}>
        {({ pages }) => {
          const others = pages.flatMap((page) => page.traces).filter(({ runId }) => runId !== trace.runId);
          if (others.length === 0) {
            return (
              <EmptyState title="No other run">{trace.agentName} has no other run to compare this one with.</EmptyState>
            );
          }
          return (
            <>
              <ul>
                {others.map((other) => (
                  <Choice key={other.id} trace={other} onPick={() => onPick(other.runId)} />
                ))}
              </ul>
              {list.hasNextPage ? (
                <div className="px-5 py-3">
                  <Button isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
                    Show more
                  </Button>
                </div>
              ) : null}
            </>
          );
        }}
      </QueryState>
    </section>
  );
}

function Choice({ trace, onPick }: { trace: TraceSummary; onPick: () => void }) {
  return (
    <li className="border-b border-separator">
      <button
        type="button"
        onClick={onPick}
        className="flex min-h-9 w-full items-center gap-3 px-5 py-1 text-left text-sm touch-row hover:bg-default"
      >
        <StateChip status={trace.status} />
        <span className="min-w-0 flex-1 truncate font-medium">{trace.message ?? trace.title ?? "Untitled run"}</span>
        <span className="text-muted max-sm:hidden">{versionLabel(trace.agentVersion)}</span>
        <span className="tnum text-muted max-sm:hidden">{formatCost(trace.costUsd)}</span>
        <span className="text-muted">
          <Time at={Date.parse(trace.startedAt)} />
        </span>
      </button>
    </li>
  );
}
