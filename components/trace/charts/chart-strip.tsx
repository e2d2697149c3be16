"use client";
import { type ReactNode, useState } from "react";
import { bucketName, bucketSentence, CHART_LABELS, CHARTS, figureLabel } from "@/lib/client/trace/charts/chart-labels";
import { useBrush } from "@/lib/client/trace/charts/use-brush";
import type { Brush } from "@/lib/client/trace/use-trace-filters";
import type { TraceCharts } from "@/lib/schema/traces/list/charts";
import { ChartPlot } from "./chart-plot";
import { ChartTable } from "./chart-table";

export interface ChartStripProps {
  charts: TraceCharts;
  brush: Brush | null;
  onBrush: (brush: Brush | null) => void;
  /** What can be done with the brush. */
  actions: ReactNode;
}

/** Five charts over the same time with one brush: dragged, or moved with the arrow keys. On a phone one at a time. */
export function ChartStrip({ charts, brush, onBrush, actions }: ChartStripProps) {
  const { buckets, unit } = charts;
  const { range, cursor, pointed, handlers } = useBrush({ buckets, brush, onBrush });
  const [isFocused, setIsFocused] = useState(false);
  const marked = pointed ?? (isFocused ? cursor : null);
  const bucket = marked === null ? undefined : buckets[marked];
  const current = buckets[cursor];
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (!(first && last && current)) return <p className="px-4 py-2 text-sm text-muted">There is no time to show.</p>;
  return (
    <>
      <div
        role="slider"
        aria-label="Time, filters the list"
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={buckets.length - 1}
        aria-valuenow={cursor}
        aria-valuetext={bucketSentence(unit, current)}
        aria-describedby="trace-charts-keys"
        tabIndex={0}
        {...handlers}
        onFocus={(event) => setIsFocused(event.currentTarget.matches(":focus-visible"))}
        onBlur={() => setIsFocused(false)}
        className="flex cursor-crosshair select-none overflow-x-auto outline-offset-[-2px] max-md:snap-x max-md:snap-mandatory md:grid md:grid-cols-5"
      >
        {CHARTS.map((name) => {
          const { value, note } = figureLabel(name, bucket ?? charts.total);
          return (
            <div
              key={name}
              className="min-w-0 border-border px-4 pt-2 max-md:w-full max-md:shrink-0 max-md:snap-start md:border-r md:last:border-r-0"
            >
              <p className="tnum flex min-w-0 items-baseline gap-2 whitespace-nowrap">
                <span className="text-xs text-muted">{CHART_LABELS[name]}</span>
                <span className="text-sm font-semibold">{value}</span>
                <span className="ml-auto truncate text-xs text-muted">{note}</span>
              </p>
              <ChartPlot name={name} buckets={buckets} range={range} marked={marked} />
            </div>
          );
        })}
      </div>
      <div className="tnum flex min-h-6 items-center gap-3 px-4 text-xs text-muted">
        <span aria-hidden="true">{bucketName(unit, first.since)}</span>
        <span aria-hidden="true" className="mx-auto text-foreground">
          {bucket === undefined ? "" : bucketName(unit, bucket.since)}
        </span>
        {actions}
        <span aria-hidden="true">{bucketName(unit, last.since)}</span>
      </div>
      <p id="trace-charts-keys" className="sr-only">
        Arrow keys move from bar to bar, with Shift they choose several, Enter chooses one, Escape takes the choice
        back.
      </p>
      <ChartTable charts={charts} />
    </>
  );
}
