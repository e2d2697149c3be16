import type { ReactNode } from "react";
import { formatCount, formatMoney, formatTokens } from "@/lib/client/ui/text/format";
import { formatDuration } from "@/lib/schema/format-duration";
import type { UsageFigures } from "@/lib/schema/usage/usage-report";

interface UsageSummaryProps {
  total: UsageFigures;
  runsBefore: number | null;
  /** False if there are too few runs for a meaningful failure rate. */
  hasRate?: boolean;
}

/** Five facts in a row; two columns on a phone. */
export function UsageSummary({ total, runsBefore, hasRate = true }: UsageSummaryProps) {
  const { runs, failed, inputTokens, outputTokens, cachedReadTokens, p50Ms, p95Ms } = total;
  return (
    <dl className="grid grid-cols-[1.4fr_1fr_1fr_1fr_1.2fr] border-b border-border max-md:grid-cols-2">
      {total.costUsd === null && total.knownCostUsd === 0 ? (
        <Fact label="Cost" value="unknown" note={null} />
      ) : (
        <Fact label="Cost" value={formatMoney(total.knownCostUsd)} note={total.costUsd === null ? "+ unknown" : null} />
      )}
      <Fact
        label="Tokens"
        value={formatTokens(inputTokens + outputTokens)}
        note={inputTokens > 0 ? `${percent(cachedReadTokens / inputTokens)} cached` : null}
      />
      <Fact label="Runs" value={formatCount(runs)} note={runsBefore ? changeOf(runs, runsBefore) : null} />
      <Fact
        label="Failed"
        value={hasRate ? percent(failed / runs) : formatCount(failed)}
        note={hasRate ? formatCount(failed) : "too few for a rate"}
      />
      <Fact
        label="Worked"
        value={p50Ms === null ? "unknown" : formatDuration(p50Ms)}
        note={p95Ms === null ? null : `p95 ${formatDuration(p95Ms)}`}
      />
    </dl>
  );
}

function Fact({ label, value, note }: { label: string; value: string; note: ReactNode }) {
  return (
    <div className="min-w-0 border-separator px-5 py-2.5 not-first:border-l max-md:border-t max-md:nth-2:border-t-0 max-md:first:border-t-0 max-md:odd:border-l-0">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-2">
        <span className="tnum text-lg font-semibold">{value}</span>
        {note === null ? null : <span className="tnum text-xs text-muted">{note}</span>}
      </dd>
    </div>
  );
}

export function percent(share: number): string {
  const value = share * 100;
  return `${value > 0 && value < 10 ? value.toFixed(1) : Math.round(value)}%`;
}

function changeOf(now: number, before: number): string {
  const change = Math.round((now / before - 1) * 100);
  return `${change >= 0 ? "+" : "−"}${formatCount(Math.abs(change))}%`;
}
