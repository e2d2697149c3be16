"use client";
import dynamic from "next/dynamic";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { EmptyState } from "@/components/ui/states/state-block";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { useTraceLayout } from "@/lib/client/trace/use-trace-layout";
import { failureText } from "@/lib/schema/runs/failure-text";
import type { Trace } from "@/lib/schema/traces/trace";
import { LayoutSwitch } from "./layout-switch";
import { TraceFailure } from "./trace-failure";
import { TraceTotals } from "./trace-totals";
import { TraceView } from "./trace-view";

const TraceState = dynamic(async () => (await loadWithRetry(() => import("./state/trace-state"))).TraceState, {
  loading: () => <SkeletonList label="Loading the state" rows={12} className="p-4" />,
});

const TraceRead = dynamic(async () => (await loadWithRetry(() => import("./read/trace-read"))).TraceRead, {
  loading: () => <SkeletonList label="Loading the text" rows={12} className="p-4" />,
});

/** One trace in the chosen layout. */
export function TraceLayouts({ trace }: { trace: Trace }) {
  const { layout, setLayout } = useTraceLayout();
  if (layout === "state") {
    return (
      <>
        <WholeError trace={trace} />
        <TraceState trace={trace} layout={layout} onLayout={setLayout} />
      </>
    );
  }
  if (layout === "read") return <TraceRead trace={trace} layout={layout} onLayout={setLayout} />;
  if (trace.isSampled) return <TraceView trace={trace} layout={layout} onLayout={setLayout} />;
  return (
    <>
      <WholeError trace={trace} />
      <TraceTotals trace={trace} nowMs={Date.parse(trace.startedAt)} />
      <div className="flex h-10 shrink-0 items-center border-y border-border px-3">
        <LayoutSwitch layout={layout} onLayout={setLayout} />
      </div>
      <EmptyState title="The steps of this run were not recorded">
        This agent records only some of its runs: its trace.sample is below 1, and this run was left out. Its status,
        tokens and cost are kept. Set trace.sample to 1 to see the steps of every new run.
      </EmptyState>
    </>
  );
}

/** Where nothing below tells it. */
function WholeError({ trace: { error } }: { trace: Trace }) {
  return error === null ? null : <TraceFailure>{failureText(error)}</TraceFailure>;
}
