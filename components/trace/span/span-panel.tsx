"use client";
import { useState } from "react";
import type { TabItem } from "@/components/ui/controls/tabs";
import type { SpanNode } from "@/lib/client/trace/span-tree";
import { useSpanBody } from "@/lib/client/trace/use-span-body";
import { classNames } from "@/lib/client/ui/class-names";
import { hasEnded } from "@/lib/schema/runs/run";
import type { Span } from "@/lib/schema/traces/span";
import type { Trace } from "@/lib/schema/traces/trace";
import { SpanDetail } from "./span-detail";

export interface SpanPanelProps {
  trace: Trace;
  node: SpanNode;
  span: Span;
  nowMs: number;
  notes: TabItem;
  tab: string;
  onTab: (tab: string) => void;
  onClose: () => void;
}

/** The step of the trace's own run that a model call is. */
function replayStepOf({ runId, status }: Trace, { name, runId: own, attributes: { step } }: Span): number | null {
  return name === "llm.call" && own === runId && hasEnded(status) && typeof step === "number" ? step : null;
}

/** The open span: on the right, or on a narrow screen a bottom sheet that leaves the list usable. */
export function SpanPanel({ trace, span, ...props }: SpanPanelProps) {
  const body = useSpanBody(trace.id, span);
  const [isTall, setTall] = useState(false);
  return (
    <aside
      aria-label="Span"
      className={classNames(
        "flex min-h-0 shrink-0 flex-col bg-surface lg:w-[456px] lg:border-l lg:border-border",
        "max-lg:overflow-hidden max-lg:rounded-t-4xl max-lg:border-t max-lg:border-border max-lg:shadow-overlay",
        isTall ? "max-lg:h-[72dvh]" : "max-lg:h-[38dvh]",
      )}
    >
      <button
        type="button"
        className="flex h-5 shrink-0 items-center justify-center lg:hidden"
        aria-label={isTall ? "Make the panel shorter" : "Make the panel taller"}
        onClick={() => setTall(!isTall)}
      >
        <span className="h-1 w-9 rounded-full bg-border-strong" />
      </button>
      <SpanDetail
        {...props}
        span={span}
        body={body}
        replayStep={replayStepOf(trace, span)}
        onOpenEarlier={body.openEarlier}
      />
    </aside>
  );
}
