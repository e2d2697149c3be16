"use client";
import { ChevronRight } from "lucide-react";
import { ApprovalDecision } from "@/components/chat/asks/approval-decision";
import { AskCard } from "@/components/chat/asks/ask-card";
import { Tag } from "@/components/ui/tag";
import { ESTIMATED_TITLE } from "@/components/ui/token-count";
import { useDecisions } from "@/lib/client/chat/asks/use-decisions";
import type { ToolCallView } from "@/lib/client/chat/transcript-steps";
import { formatCost, formatTokens } from "@/lib/client/ui/text/format";
import { formatDuration } from "@/lib/schema/format-duration";
import type { SubagentData } from "@/lib/schema/messages/ui-message";
import type { Interrupt } from "@/lib/schema/runs/interrupt";
import { hasEnded } from "@/lib/schema/runs/run";
import { useOpenChildRun } from "./child-run-context";
import { SubagentFiles } from "./subagent-files";
import { RunningClock } from "./tool-outcome";

export interface SubagentCardProps {
  subagent: SubagentData;
  call: ToolCallView;
}

/** A subagent and its progress; expands into its own transcript. Its asks are decided here. */
export function SubagentCard({ subagent, call }: SubagentCardProps) {
  const openChild = useOpenChildRun();
  const { name, description, status, lastLine, runId, delegate } = subagent;
  return (
    <div className="flex flex-col gap-2">
      <article className="overflow-hidden rounded-lg border border-border bg-surface">
        <button
          type="button"
          aria-haspopup="dialog"
          disabled={openChild === null}
          onClick={() => openChild?.({ runId, title: `${name}: ${description}` })}
          className="flex min-h-9 w-full items-center gap-2 px-2.5 text-left -outline-offset-2 touch-row"
        >
          <ChevronRight className="size-3.5 shrink-0 text-subtle" aria-hidden />
          <span className="shrink-0 font-mono text-xs font-medium">{delegate ? "delegate" : "task"}</span>
          <Tag className="text-foreground!">
            <span aria-hidden className="size-1.5 rounded-full bg-kind-agent" />
            {name}
            {delegate?.version ? ` v${delegate.version}` : null}
          </Tag>
          <span className="min-w-0 flex-1 truncate text-sm" title={description}>
            {description}
          </span>
          <SubagentSummary subagent={subagent} call={call} />
        </button>
        {lastLine === "" ? null : (
          <p className="truncate border-t border-separator px-3 py-2 text-sm text-muted" title={lastLine}>
            {lastLine}
          </p>
        )}
        {subagent.calls === 0 ? null : <SubagentFiles {...subagent} />}
        {delegate ? (
          <p className="border-t border-separator bg-surface-secondary px-3 py-1.5 text-xs text-muted">
            runs as itself: its own prompt, tools, workspace and rights
          </p>
        ) : null}
        {call.approval === null ? null : <ApprovalDecision approval={call.approval} />}
      </article>
      {hasEnded(status) ? null : <ChildInterrupts subagent={subagent} />}
    </div>
  );
}

function SubagentSummary({ subagent, call }: SubagentCardProps) {
  const { status, background } = subagent;
  const isAtWork = !hasEnded(status);
  // A call that waited for its subagent only knows its last segment's duration.
  const durationMs = subagent.durationMs ?? (background ? null : call.durationMs);
  return (
    <span className="tnum flex shrink-0 items-center gap-2 text-xs text-muted">
      {background ? <span className="max-sm:hidden">in the background</span> : null}
      {status === "failed" || status === "interrupted" ? <span className="text-fail-text">failed</span> : null}
      {status === "cancelled" || status === "limit" ? <span>{status}</span> : null}
      <SubagentUse {...subagent} />
      {isAtWork && call.startedAtMs !== null ? <RunningClock startedAtMs={call.startedAtMs} /> : null}
      {!isAtWork && durationMs !== null ? <span>{formatDuration(durationMs)}</span> : null}
    </span>
  );
}

const UNKNOWN_TITLE = "Unknown: a model call ended without reporting its usage.";

/** Its work and usage so far; in little room the calls are omitted, and an unknown cost. */
function SubagentUse({ calls = 0, tokens, estimated, costUsd }: SubagentData) {
  return (
    <>
      {calls > 0 ? <span className="max-sm:hidden">{calls === 1 ? "1 call" : `${calls} calls`}</span> : null}
      {tokens === null ? <span title={UNKNOWN_TITLE}>– tok</span> : null}
      {tokens ? (
        <span title={estimated ? ESTIMATED_TITLE : undefined}>
          {estimated ? "~" : ""}
          {formatTokens(tokens)} tok
        </span>
      ) : null}
      {costUsd ? <span>{formatCost(costUsd)}</span> : null}
      {costUsd === null && tokens ? <span className="max-sm:hidden">cost unknown</span> : null}
    </>
  );
}

/** Decided on the child's run. The thread's list of asks is more current than the card. */
function ChildInterrupts({ subagent }: { subagent: SubagentData }) {
  const { runId, name, interrupts = [] } = subagent;
  const asked = useDecisions()?.asked?.filter((approval) => approval.runId === runId);
  const open: readonly (Interrupt & { waitingSince?: string })[] = asked ?? interrupts;
  return open.map(({ waitingSince, ...interrupt }) => {
    const askedAtMs = waitingSince === undefined ? null : Date.parse(waitingSince);
    return <AskCard key={interrupt.toolCallId} {...{ ...interrupt, runId, askedAtMs, from: name }} />;
  });
}
