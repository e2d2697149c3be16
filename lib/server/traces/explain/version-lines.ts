import { hasEnded } from "@/lib/schema/runs/run";
import { type DigestLine, DigestMeasure } from "@/lib/schema/traces/digest";
import type { Trace } from "@/lib/schema/traces/trace";

/** The last completed runs of the version before. Null is unknown. */
export interface VersionBefore {
  readonly version: number;
  readonly runs: readonly Readonly<Record<DigestMeasure, number | null>>[];
}

/** At most so many measures, those that differ most. */
const MOST = 2;
/** From so many times as much, or as little, on. */
const FACTOR = 1.5;

/** What is unlike the middle run of the version before. */
export function versionLines(trace: Trace, before: VersionBefore | null, spanId: string): DigestLine[] {
  if (before === null || !hasEnded(trace.status)) return [];
  const { version } = before;
  const lines = DigestMeasure.options.flatMap((measure) => {
    const known = before.runs.flatMap((run) => run[measure] ?? []).toSorted((a, b) => a - b);
    const usual = known[Math.floor((known.length - 1) / 2)] ?? 0;
    const value = measureOf(trace, measure);
    if (value === null || value === 0 || usual === 0) return [];
    const factor = Math.max(value / usual, usual / value);
    const line = { kind: "version" as const, spanId, measure, value, usual, version, runs: known.length };
    return factor < FACTOR ? [] : [{ factor, line }];
  });
  const most = lines.toSorted((a, b) => b.factor - a.factor).slice(0, MOST);
  return most.map(({ line }) => line);
}

function measureOf({ steps, durationMs, waitedMs, costUsd, usage }: Trace, measure: DigestMeasure): number | null {
  if (measure === "steps") return steps;
  if (measure === "costUsd") return costUsd;
  if (measure === "inputTokens") return usage.inputTokens;
  return durationMs === null ? null : durationMs - waitedMs;
}
