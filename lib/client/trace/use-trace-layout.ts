"use client";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useKeptNumber } from "@/lib/client/ui/use-kept-state";

/** Rows of spans. */
export type SpanLayout = "tree" | "waterfall";

export const TRACE_LAYOUTS = ["tree", "waterfall", "read", "state"] as const;
export type TraceLayout = (typeof TRACE_LAYOUTS)[number];

/** What a browser keeps for the next trace: how a run is read, not a look at one of its steps. */
const KEPT: readonly TraceLayout[] = ["tree", "waterfall", "read"];

/** The layout in the URL, else the one that was last chosen in this browser. */
export function useTraceLayout(): { layout: TraceLayout; setLayout: (layout: TraceLayout) => void } {
  const [chosen, setChosen] = useQueryState("layout", parseAsStringLiteral(TRACE_LAYOUTS));
  const [kept, setKept] = useKeptNumber("traceLayout", KEPT.indexOf("waterfall"));
  return {
    layout: chosen ?? KEPT[kept] ?? "waterfall",
    setLayout: (layout) => {
      if (KEPT.includes(layout)) setKept(KEPT.indexOf(layout));
      void setChosen(layout);
    },
  };
}
