"use client";
import { useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import { useState } from "react";
import { DifferenceList } from "@/components/trace/difference/difference-list";
import { Button } from "@/components/ui/controls/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { errorMessage } from "@/lib/client/http/api";
import { chartsQuery } from "@/lib/client/trace/charts/chart-queries";
import { baseOf } from "@/lib/client/trace/difference/difference-queries";
import { listHref, type TraceFilterState } from "@/lib/client/trace/use-trace-filters";
import { useKeptNumber } from "@/lib/client/ui/use-kept-state";
import { ChartStrip } from "./chart-strip";

/** Whether the charts are open, kept by the browser. */
function useChartsOpen() {
  return useKeptNumber("traceCharts", 0);
}

export function ChartsButton() {
  const [isOpen, setIsOpen] = useChartsOpen();
  return (
    <Button variant="ghost" aria-expanded={isOpen === 1} onPress={() => setIsOpen(isOpen === 1 ? 0 : 1)}>
      <ChartColumn aria-hidden />
      Charts
    </Button>
  );
}

/** The runs of the list by time. A brush narrows the list to a part of it; the charts keep what is around. */
export function TraceCharts({ state }: { state: TraceFilterState }) {
  const [isOpen] = useChartsOpen();
  if (isOpen !== 1) return null;
  return (
    <section aria-label="Charts" className="relative min-h-24 shrink-0 border-b border-border">
      <Charts state={state} />
    </section>
  );
}

function Charts({ state }: { state: TraceFilterState }) {
  const { around, brush, setUrl } = state;
  const { data, error } = useQuery(chartsQuery(around));
  if (data === undefined) {
    return (
      <p role="status" className="px-4 py-2 text-sm text-muted">
        {error === null ? "Counting runs" : `The runs could not be counted: ${errorMessage(error)}`}
      </p>
    );
  }
  return (
    <ChartStrip
      charts={data}
      brush={brush}
      onBrush={(next) => void setUrl({ from: next?.since ?? null, to: next?.until ?? null })}
      actions={brush === null ? null : <AskDifference state={state} />}
    />
  );
}

/** What is different about the runs of the brush, against those around it. */
function AskDifference({ state: { filters, around, url } }: { state: TraceFilterState }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button variant="ghost" onPress={() => setAsking(true)}>
        What is different?
      </Button>
      {isAsking ? (
        <Dialog title="What is different about the runs of this time?" isOpen onClose={() => setAsking(false)}>
          <DifferenceList
            asked={{ selection: { filters: baseOf(filters) }, base: { filters: baseOf(around) } }}
            hrefOf={(facet, value) => listHref({ ...url, [facet]: [value] })}
          />
        </Dialog>
      ) : null}
    </>
  );
}
