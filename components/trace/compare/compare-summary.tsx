import Link from "next/link";
import { ScrollArea } from "@/components/ui/scroll-area";
import { StateChip } from "@/components/ui/states/state-ring";
import { changeText } from "@/lib/client/trace/compare/compare-labels";
import { formatCost, formatCount, formatExact, formatTokens } from "@/lib/client/ui/text/format";
import { formatDuration } from "@/lib/schema/format-duration";
import { versionLabel } from "@/lib/schema/runs/run-version";
import type { ComparedRuns, CompareSide } from "@/lib/schema/traces/compare-runs";
import { CompareRow } from "./compare-row";

/** What the second run cost beside the first; in ink: cheaper is not always better. */
export function CompareSummary({ a, b }: Pick<ComparedRuns, "a" | "b">) {
  return (
    <ScrollArea label="Key figures of both runs" className="shrink-0 border-b border-border">
      <dl className="flex w-max gap-8 px-4 py-2 text-sm whitespace-nowrap max-sm:gap-5">
        <Fact label="Worked" a={a.workedMs} b={b.workedMs} format={formatDuration} />
        <Fact label="Waited" a={a.waitedMs} b={b.waitedMs} format={formatDuration} />
        <Fact label="Tokens" a={a.tokens} b={b.tokens} format={formatTokens} />
        <Fact label="Cost" a={a.costUsd} b={b.costUsd} format={formatCost} />
        <Fact label="Model calls" a={a.modelCalls} b={b.modelCalls} format={formatCount} />
        <Fact label="Tool calls" a={a.toolCalls} b={b.toolCalls} format={formatCount} />
      </dl>
    </ScrollArea>
  );
}

interface FactProps {
  label: string;
  a: number | null;
  b: number | null;
  format: (value: number) => string;
}

function Fact({ label, a, b, format }: FactProps) {
  const words = (value: number | null) => (value === null ? "unknown" : format(value));
  const change = changeText(a, b);
  return (
    <div>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="tnum">
        {words(a)} <span className="text-muted">→</span> <span className="font-medium">{words(b)}</span>
        {change === "" ? null : <span className="text-muted"> {change}</span>}
      </dd>
    </div>
  );
}

/** The heads of the two columns. */
export function CompareHeads({ a, b }: Pick<ComparedRuns, "a" | "b">) {
  return <CompareRow sign="≠" a={<RunHead letter="A" run={a} />} b={<RunHead letter="B" run={b} />} />;
}

function RunHead({ letter, run }: { letter: "A" | "B"; run: CompareSide }) {
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-2">
      <span className="rounded-sm border border-border px-1 text-xs font-semibold max-md:hidden">{letter}</span>
      <Link href={`/traces/${encodeURIComponent(run.runId)}`} className="min-w-0 truncate font-medium hover:underline">
        {run.title ?? "Untitled run"}
      </Link>
      <StateChip status={run.status} />
      <span className="tnum min-w-0 truncate text-xs text-muted">
        {run.agentName} {versionLabel(run.agentVersion)}, {run.ownerName}, {formatExact(Date.parse(run.startedAt))}
      </span>
      {run.hasMessages ? null : (
        <span className="w-full text-xs text-muted">Its messages were removed. Its facts are kept.</span>
      )}
    </div>
  );
}
