import Link from "next/link";
import { ScrollArea } from "@/components/ui/scroll-area";
import { TokenBar } from "@/components/ui/token-bar";
import { unknownTokensTitle } from "@/components/ui/token-count";
import { ORIGIN_LABELS } from "@/lib/client/trace/origin-labels";
import { replayHref } from "@/lib/client/trace/replay/replay-queries";
import { type SplitTime, splitTime } from "@/lib/client/trace/span-wait";
import { classNames } from "@/lib/client/ui/class-names";
import { firstTokenText, formatCost } from "@/lib/client/ui/text/format";
import { formatDuration } from "@/lib/schema/format-duration";
import { readUsage } from "@/lib/schema/runs/usage";
import type { Trace } from "@/lib/schema/traces/trace";

export interface TraceTotalsProps {
  trace: Trace;
  /** The end of the measured time for a run that has not ended. */
  nowMs: number;
}

/** The run's working and waiting time and its cost, in one line under its name. */
export function TraceTotals({ trace, nowMs }: TraceTotalsProps) {
  const time = splitTime(trace, nowMs);
  // A failed attempt is part of its call.
  const modelCalls = trace.spans.filter((span) => span.type === "llm" && span.name !== "llm.attempt").length;
  const tools = trace.spans.filter((span) => span.type === "tool");
  // A call that waited has a span for each of its two halves.
  const toolCalls = new Set(tools.map(({ id, runId, attributes }) => `${runId} ${attributes.tool_call_id ?? id}`)).size;
  const { cachedReadTokens, inputTokens, outputTokens, isUsagePartial, isUsageEstimated } = readUsage(trace.usage);
  const isKnown = !isUsagePartial || inputTokens + outputTokens > 0;
  return (
    <ScrollArea label="Key figures of the run" className="shrink-0">
      <div className="flex items-center gap-8 px-4 py-2 whitespace-nowrap max-sm:w-max max-sm:gap-5">
        <WorkedAndWaited {...time} />
        <dl className="flex flex-1 items-center gap-8 max-sm:gap-5">
          <Fact label="Cost">{formatCost(trace.costUsd)}</Fact>
          <Fact label="Origin">
            {ORIGIN_LABELS[trace.origin.kind]}
            {trace.attended ? "" : ", unattended"}
          </Fact>
          {trace.handoff ? (
            <Fact label="Handoff">
              <HandoffLink runId={trace.handoff.fromRunId}>from the run before</HandoffLink>
              {trace.handoff.fromRunId !== null && trace.handoff.toRunId !== null ? ", " : ""}
              <HandoffLink runId={trace.handoff.toRunId}>to the run after</HandoffLink>
            </Fact>
          ) : null}
          <ReplayFact replay={trace.replay} />
          <Fact label="First token">{firstTokenText(trace.timeToFirstTokenMs, trace.durationMs === null)}</Fact>
          <Fact label="Calls">
            {modelCalls} model, {toolCalls} tool
          </Fact>
          <div className="max-w-[420px] min-w-64 flex-1">
            <dt className="sr-only">Tokens</dt>
            <dd title={isUsagePartial ? unknownTokensTitle(trace.usage) : undefined}>
              {isUsagePartial ? (
                <p className="text-xs text-muted">{isKnown ? "Known tokens" : "Tokens unknown"}</p>
              ) : null}
              {isKnown ? (
                <TokenBar
                  cachedTokens={cachedReadTokens}
                  newInputTokens={Math.max(0, inputTokens - cachedReadTokens)}
                  outputTokens={outputTokens}
                  isEstimated={isUsageEstimated}
                />
              ) : null}
            </dd>
          </div>
          {trace.droppedSpans > 0 ? (
            <Fact label="Not recorded" className="text-fail-text">
              {trace.droppedSpans} spans
            </Fact>
          ) : null}
        </dl>
      </div>
    </ScrollArea>
  );
}

function HandoffLink({ runId, children }: { runId: string | null; children: string }) {
  if (runId === null) return null;
  return (
    <Link href={`/traces/${encodeURIComponent(runId)}`} className="text-link hover:underline">
      {children}
    </Link>
  );
}

/**
 * Working time as a bar of ink and waiting time as hatched brass, each with its label; only the former if nobody was
 * asked.
 */
function WorkedAndWaited({ workedMs, waitedMs }: SplitTime) {
  if (waitedMs === 0) {
    return (
      <dl>
        <Fact label="Worked">{formatDuration(workedMs)}</Fact>
      </dl>
    );
  }
  const share = (workedMs / Math.max(1, workedMs + waitedMs)) * 100;
  return (
    <div>
      <dl className="flex gap-8 max-sm:gap-5">
        <Fact label="Worked">{formatDuration(workedMs)}</Fact>
        <Fact label="Waited" className="text-signal-text">
          {formatDuration(waitedMs)}
        </Fact>
      </dl>
      <span
        role="img"
        aria-label={`Worked ${formatDuration(workedMs)}, waited ${formatDuration(waitedMs)}`}
        className="mt-1 flex h-[7px] overflow-hidden rounded-xs"
      >
        <span className="bg-foreground" style={{ width: `${share}%` }} />
        <span className="hatch flex-1 [--hatch:var(--signal)]" />
      </span>
    </div>
  );
}

function Fact({ label, className, children }: { label: string; className?: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className={classNames("tnum text-sm font-medium", className)}>{children}</dd>
    </div>
  );
}

function ReplayFact({ replay }: Pick<Trace, "replay">) {
  if (replay === undefined) return null;
  return (
    <Fact label="Replay">
      <Link href={replayHref(replay.id)} className="text-link hover:underline">
        from step {replay.fromStep}
      </Link>
    </Fact>
  );
}
