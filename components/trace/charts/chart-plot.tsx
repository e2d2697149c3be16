import { type ChartName, failedShare } from "@/lib/client/trace/charts/chart-labels";
import type { Range } from "@/lib/client/trace/charts/use-brush";
import { classNames } from "@/lib/client/ui/class-names";
import type { RunStatus } from "@/lib/schema/runs/run";
import type { ChartBucket } from "@/lib/schema/traces/list/charts";

const HEIGHT = 40;
const BAR = 10;

/** From the foot of a bar to its top, in the colours of the states. */
const STATUS_FILLS: Readonly<Record<RunStatus, string>> = {
  completed: "fill-ok",
  limit: "fill-limit",
  cancelled: "fill-halted",
  interrupted: "fill-broken",
  failed: "fill-fail",
  queued: "fill-halted",
  waiting: "fill-signal-mark",
  running: "fill-live",
};

interface Part {
  readonly id: string;
  readonly fill: string;
  readonly size: number;
}

function partsOf(name: ChartName, bucket: ChartBucket): Part[] {
  const { statuses, p50Ms, p95Ms, inputTokens, outputTokens, costUsd } = bucket;
  const one = (size: number, fill = "fill-kind-hook"): Part[] => [{ id: name, fill, size }];
  if (name === "errors") return one(failedShare(bucket) ?? 0, "fill-fail");
  if (name === "tokens") return one(inputTokens + outputTokens);
  if (name === "cost") return one(costUsd);
  if (name === "worked") {
    const median = p50Ms ?? 0;
    return [...one(median), { id: "p95", fill: "fill-border-strong", size: Math.max(0, (p95Ms ?? 0) - median) }];
  }
  const filled = Object.entries(STATUS_FILLS);
  return filled.map(([status, fill]) => ({ id: status, fill, size: statuses[status] ?? 0 }));
}

export interface ChartPlotProps {
  name: ChartName;
  buckets: readonly ChartBucket[];
  /** What is outside is faint. */
  range: Range | null;
  /** The bucket that is pointed at, or that the keys have reached. */
  marked: number | null;
}

/** A bar for each bucket, above a line. The strip around it says in words what it shows. */
export function ChartPlot({ name, buckets, range, marked }: ChartPlotProps) {
  const bars = buckets.map((bucket) => ({ since: bucket.since, parts: partsOf(name, bucket) }));
  const heights = bars.map(({ parts }) => parts.reduce((sum, { size }) => sum + size, 0));
  const most = name === "errors" ? 1 : Math.max(...heights, Number.MIN_VALUE);
  const width = Math.max(1, buckets.length) * BAR;
  return (
    <svg
      data-plot={name}
      aria-hidden="true"
      viewBox={`0 0 ${width} ${HEIGHT + 1}`}
      preserveAspectRatio="none"
      className="mt-1 block h-11 w-full"
    >
      <rect width={width} height={HEIGHT + 1} className="fill-transparent" />
      {range === null ? null : (
        <rect
          x={range.first * BAR}
          width={(range.last - range.first + 1) * BAR}
          height={HEIGHT}
          className="fill-selection"
        />
      )}
      {marked === null ? null : <rect x={marked * BAR} width={BAR} height={HEIGHT} className="fill-default" />}
      {bars.map(({ since, parts }, index) => (
        <g key={since} className={classNames(range && (index < range.first || index > range.last) && "opacity-40")}>
          <Bar parts={parts} x={index * BAR + 1} perUnit={(HEIGHT - 1) / most} />
        </g>
      ))}
      <rect y={HEIGHT} width={width} height={1} className="fill-border" />
    </svg>
  );
}

function Bar({ parts, x, perUnit }: { parts: readonly Part[]; x: number; perUnit: number }) {
  let y = HEIGHT;
  return parts.map(({ id, fill, size }) => {
    if (size === 0) return null;
    const height = size * perUnit;
    y -= height;
    return <rect key={id} x={x} y={y} width={BAR - 2} height={height} className={fill} />;
  });
}
