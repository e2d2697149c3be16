"use client";
import { X } from "lucide-react";
import { ReplayFromHere } from "@/components/trace/replay/replay-button";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { StateChip } from "@/components/ui/states/state-ring";
import { Tag } from "@/components/ui/tag";
import { TokenBar } from "@/components/ui/token-bar";
import { KindSquare, WaitSquare } from "@/components/ui/waterfall-row";
import { type SpanSummary, summarizeSpan } from "@/lib/client/trace/span-summary";
import type { SpanNode } from "@/lib/client/trace/span-tree";
import { spanWait } from "@/lib/client/trace/span-wait";
import { firstTokenText, formatCost } from "@/lib/client/ui/text/format";
import { formatDuration } from "@/lib/schema/format-duration";
import type { Span } from "@/lib/schema/traces/span";
import { CallPercentile } from "./call-percentile";

export interface SpanHeadProps {
  node: SpanNode;
  span: Span;
  nowMs: number;
  /** The step of the trace's own run that can be replayed from; null where none can. */
  replayStep: number | null;
  onClose: () => void;
}

/** The span's name, its outcome, its four facts and, for a model call, the token bar. */
export function SpanHead({ node, span, nowMs, replayStep, onClose }: SpanHeadProps) {
  const facts = summarizeSpan(span);
  const wait = spanWait(span);
  const tookMs = (node.endMs ?? nowMs) - node.startMs;
  return (
    <header className="shrink-0 px-4 pt-3 pb-3">
      <div className="flex items-center gap-2">
        {wait === null ? <KindSquare kind={node.kind} /> : <WaitSquare />}
        <h2 className="min-w-0 truncate font-mono text-sm font-semibold">{node.label}</h2>
        <StateChip status={span.status} word={statusWord(span)} />
        {facts.step === null ? null : <Tag>step {facts.step}</Tag>}
        <span className="flex-1" />
        {replayStep === null ? null : <ReplayFromHere step={replayStep} />}
        <CopyButton text={() => window.location.href} label="Copy link to span" />
        <IconButton label="Close" onPress={onClose}>
          <X />
        </IconButton>
      </div>
      <dl className="mt-2 grid grid-cols-4 gap-x-3 text-xs">
        <HeadFact label={wait === null ? "Worked" : "Waited"}>{formatDuration(tookMs)}</HeadFact>
        {span.type === "llm" ? (
          <ModelSummary facts={facts} tookMs={tookMs} isRunning={span.endedAtMs === null} />
        ) : null}
      </dl>
      {facts.decision === "" ? null : <p className="mt-1.5 text-xs break-words text-muted">{facts.decision}</p>}
      {isMeasured(span) ? (
        <CallPercentile traceId={span.traceId} spanId={span.id} className="mt-1.5 text-xs text-muted" />
      ) : null}
      {facts.inputTokens === null ? null : (
        <div className="mt-2.5">
          <TokenBar
            cachedTokens={facts.cachedReadTokens ?? 0}
            newInputTokens={Math.max(0, facts.inputTokens - (facts.cachedReadTokens ?? 0))}
            outputTokens={facts.outputTokens}
            isEstimated={facts.isUsageEstimated}
          />
        </div>
      )}
      {facts.model === null ? null : <p className="mt-1 truncate font-mono text-2xs text-muted">{facts.model}</p>}
    </header>
  );
}

/** A tool call that ran to its end. */
function isMeasured(span: Span): boolean {
  const hasRun = span.status === "completed" || span.status === "failed";
  return span.type === "tool" && hasRun && spanWait(span) === null && summarizeSpan(span).refusal === null;
}

/** A wait's status is its decision; undefined to use the state's own word. */
function statusWord(span: Span): string | undefined {
  const wait = spanWait(span);
  if (wait !== null && span.status !== "waiting") return wait.decision;
  return summarizeSpan(span).refusal ?? undefined;
}

function ModelSummary({ facts, tookMs, isRunning }: { facts: SpanSummary; tookMs: number; isRunning: boolean }) {
  const firstMs = facts.timeToFirstTokenMs;
  return (
    <>
      <HeadFact label="First token">{firstTokenText(firstMs, isRunning)}</HeadFact>
      <HeadFact label="Speed">{speedText(facts.outputTokens, tookMs - (firstMs ?? 0))}</HeadFact>
      <HeadFact label="Cost">{formatCost(facts.costUsd)}</HeadFact>
    </>
  );
}

/** Tokens per second after the first one arrived; unknown if the whole reply came at once. */
function speedText(outputTokens: number | null, answeringMs: number): string {
  if (outputTokens === null || answeringMs < 50) return "unknown";
  return `${Math.round(outputTokens / (answeringMs / 1000))} tok/s`;
}

function HeadFact({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <dt className="text-muted">{label}</dt>
      <dd className="tnum text-sm font-medium">{children}</dd>
    </div>
  );
}
