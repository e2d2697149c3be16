"use client";
import { ListTree } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { lazy, memo, Suspense } from "react";
import { ApprovalCard, ConnectCard } from "@/components/chat/asks/lazy-cards";
import { LazyVersions, OtherAgent, ReplyBranches } from "@/components/chat/transcript/branches/branch-context";
import { CompactionLine } from "@/components/chat/transcript/lines/compaction-line";
import { FoldedLine } from "@/components/chat/transcript/lines/folded-line";
import { RetryLine } from "@/components/chat/transcript/lines/retry-line";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { ICON_BUTTON } from "@/components/ui/controls/icon-button";
import { Mark } from "@/components/ui/mark";
import { CitationContext } from "@/components/ui/markdown/citation-context";
import { Markdown } from "@/components/ui/markdown/markdown";
import { StateRing } from "@/components/ui/states/state-ring";
import { Step, StepDot } from "@/components/ui/states/step";
import { EFFORT_LABELS } from "@/lib/client/agents/effort-labels";
import { modelLabel } from "@/lib/client/agents/model-names";
import { type ChatMessage, messageText } from "@/lib/client/chat/chat-message";
import { sourcesOf } from "@/lib/client/chat/citations/sources";
import { useCitations } from "@/lib/client/chat/citations/use-citations";
import type { ChosenStep, NextStep } from "@/lib/client/chat/threads/thread-actions";
import { callStatus } from "@/lib/client/chat/tool-status";
import { isOpenInterrupt, type TranscriptStep, transcriptSteps } from "@/lib/client/chat/transcript-steps";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { moveWithArrows } from "@/lib/client/ui/input/move-with-arrows";
import { formatCost, tokenText } from "@/lib/client/ui/text/format";
import { useLasting } from "@/lib/client/ui/use-now";
import { formatDuration } from "@/lib/schema/format-duration";
import { hasEnded } from "@/lib/schema/runs/run";
import { versionLabel } from "@/lib/schema/runs/run-version";
import type { RunNoticeProps } from "./notice/run-notice";
import { ReadAloudButton } from "./read-aloud-button";
import { LazyThumbs } from "./thumbs/judged-thread";
import { ToolCard } from "./tool-card";
import { ToolRun } from "./tool-run";
import { Initials, UserMessage } from "./user-message";

const AnsweredQuestion = dynamic(
  async () => (await loadWithRetry(() => import("@/components/chat/asks/answered-question"))).AnsweredQuestion,
  { loading: () => null },
);
const QuestionCard = dynamic(
  async () => (await loadWithRetry(() => import("@/components/chat/asks/question-card"))).QuestionCard,
  { loading: () => null },
);
const SteerMessage = dynamic(async () => (await loadWithRetry(() => import("./steer-message"))).SteerMessage, {
  loading: () => null,
});
const SubagentCard = dynamic(async () => (await loadWithRetry(() => import("./subagent-card"))).SubagentCard, {
  loading: () => null,
});
const HandoffMarker = dynamic(async () => (await loadWithRetry(() => import("./handoff-marker"))).HandoffMarker, {
  loading: () => null,
});
const UndoLine = dynamic(async () => (await loadWithRetry(() => import("./lines/undo-line"))).UndoLine, {
  loading: () => null,
});
const BudgetStep = dynamic(async () => (await loadWithRetry(() => import("./budget-step"))).BudgetStep, {
  loading: () => null,
});

export interface MessageViewProps {
  message: ChatMessage;
  userName: string;
  /** The user message is a subagent's task. */
  isTask?: boolean;
  /** For a person's message: the most of it that the model reads. */
  maxChars?: number;
  /** The reply being written. */
  isLive: boolean;
  /** The newest reply of the thread. */
  isLatest: boolean;
  /** Continues or retries the run with this id; null for people with read access only, and for a subagent's run. */
  onNextStep: ((runId: string, step: NextStep, chosen?: ChosenStep) => Promise<unknown>) | null;
}

export const MessageView = memo(function MessageView(props: MessageViewProps) {
  return props.message.role === "user" ? <UserMessage {...props} /> : <AssistantMessage {...props} />;
});

const SourceList = lazy(async () => ({
  default: (await loadWithRetry(() => import("./citations/citations"))).SourceList,
}));
const RunNotice = lazy(async () => ({ default: (await loadWithRetry(() => import("./notice/run-notice"))).RunNotice }));
const loadCitations = async () => (await loadWithRetry(() => import("./citations/citations"))).citationDrawer;

function traceHrefOf(message: ChatMessage): string | null {
  const traceId = message.metadata?.traceId;
  return traceId === undefined ? null : `/traces/${encodeURIComponent(traceId)}`;
}

/**
 * No longer than the pause between two steps of a run, or between its last word and its end: a label would only flash.
 */
const PAUSE_MS = 300;

/** What a run writes or does, unlike what is said about it. */
const OUTPUT: readonly TranscriptStep["kind"][] = ["text", "reasoning", "tool", "tool-run", "subagent"];

function AssistantMessage({ message, userName, isLive, isLatest, ...props }: MessageViewProps) {
  // Another member's run is theirs to continue.
  const onNextStep = message.metadata?.author === undefined ? props.onNextStep : null;
  const steps = transcriptSteps(message);
  const sources = sourcesOf(steps);
  const cite = useCitations(sources, loadCitations);
  const traceHref = traceHrefOf(message);
  const runId = message.metadata?.runId;
  const isSilent = isLive && !steps.some(isRunning);
  const isSilentForLong = useLasting(isSilent, PAUSE_MS);
  const isWaitingForModel = isSilent && (isSilentForLong || steps.length === 0);
  return (
    <article aria-label="Reply" aria-busy={isLive} className="pb-6">
      <OtherAgent message={message} />
      <CitationContext value={cite}>
        {steps.map((step, index) => (
          <Step
            key={step.key}
            glyph={<StepGlyph step={step} userName={userName} isLive={isLive && index === steps.length - 1} />}
            isLast={index === steps.length - 1 && !isWaitingForModel}
          >
            <StepBody
              step={step}
              runId={runId ?? ""}
              isLatest={isLatest && index === steps.length - 1}
              traceHref={traceHref}
              onNextStep={
                isLatest && runId !== undefined && onNextStep !== null
                  ? (next, ...chosen) => onNextStep(runId, next, ...chosen)
                  : null
              }
              messageId={message.id}
              isJournalGone={message.metadata?.journal === "gone"}
              stoppedBy={message.metadata?.stoppedBy}
              isEmpty={!steps.some(({ kind }) => OUTPUT.includes(kind))}
            />
          </Step>
        ))}
      </CitationContext>
      {sources.length === 0 || isLive ? null : (
        <Suspense>
          <SourceList sources={sources} />
        </Suspense>
      )}
      {isWaitingForModel ? (
        <Step isLast glyph={<StateRing status="running" size={15} labelled />}>
          <p className="text-sm leading-6 text-muted">{steps.length === 0 ? "Starting" : "Working"}</p>
        </Step>
      ) : null}
      {isLive ? null : <ReplyFoot message={message} traceHref={traceHref} takesThumbs={onNextStep !== null} />}
      {message.metadata?.siblings === undefined ? null : (
        <div className="pl-8">
          <LazyVersions message={message} />
        </div>
      )}
    </article>
  );
}

function isRunning(step: TranscriptStep): boolean {
  if (step.kind === "text" || step.kind === "reasoning") return step.isStreaming;
  if (step.kind === "approval" || step.kind === "connect") return true;
  if (step.kind === "question") return isOpenInterrupt(step.question);
  if (step.kind === "budget") return isOpenInterrupt(step.budget);
  if (step.kind === "subagent") return !hasEnded(step.subagent.status);
  return step.kind === "tool" && (step.call.state === "running" || step.call.state === "writing");
}

function StepGlyph({ step, isLive, userName }: { step: TranscriptStep; isLive: boolean; userName: string }) {
  switch (step.kind) {
    case "text":
      return isLive && step.isStreaming ? <StateRing status="running" size={15} labelled /> : <Mark size={16} />;
    case "reasoning":
    case "compaction":
    case "handoff":
    case "undo":
    case "retry":
    case "rebuilt":
    case "remark":
    case "notice":
      return <StepDot />;
    case "approval":
    case "connect":
      return <StateRing status="waiting" labelled />;
    case "budget":
      return isOpenInterrupt(step.budget) ? <StateRing status="waiting" labelled /> : <StepDot />;
    case "question":
      return <StateRing status={isOpenInterrupt(step.question) ? "waiting" : "completed"} labelled />;
    case "tool":
      return <StateRing status={callStatus(step.call)} labelled />;
    case "subagent":
      return <StateRing status={step.subagent.status === "waiting" ? "running" : step.subagent.status} labelled />;
    case "tool-run":
      return <StateRing status="completed" labelled />;
    case "steer":
      return <Initials name={userName} />;
  }
}

interface StepBodyProps {
  step: TranscriptStep;
  runId: string;
  isLatest: boolean;
  traceHref: string | null;
  onNextStep: RunNoticeProps["onNextStep"];
  messageId: string;
  isJournalGone: boolean;
  stoppedBy: RunNoticeProps["stoppedBy"];
  isEmpty: boolean;
}

function StepBody({ step, runId, isLatest, traceHref, ...ended }: StepBodyProps) {
  switch (step.kind) {
    case "text":
      return <Markdown text={step.text} isStreaming={step.isStreaming} />;
    case "reasoning":
      return (
        <FoldedLine
          memory={`${runId} ${step.key}`}
          title="Reasoning"
          gist={<span className="italic">{step.text.slice(0, 200)}</span>}
        >
          <div className="mt-1 mb-1 ml-[6px] border-l border-border pl-4 text-sm text-pretty whitespace-pre-wrap text-muted">
            {step.text.trim()}
          </div>
        </FoldedLine>
      );
    case "tool":
      return <ToolCard runId={runId} call={step.call} isLatest={isLatest} traceHref={traceHref} />;
    case "subagent":
      return <SubagentCard subagent={step.subagent} call={step.call} />;
    case "tool-run":
      return <ToolRun runId={runId} calls={step.calls} traceHref={traceHref} />;
    case "approval":
      return (
        <ApprovalCard
          {...step.approval}
          runId={runId}
          askedAtMs={step.approval.requestedAtMs}
          isReady={step.approval.status === "pending"}
        />
      );
    case "connect":
      return (
        <ConnectCard
          {...step.connect}
          runId={runId}
          askedAtMs={step.connect.requestedAtMs}
          isReady={step.connect.status === "pending"}
        />
      );
    case "handoff":
      return <HandoffMarker {...step.handoff} runId={runId} />;
    case "undo":
      return <UndoLine undo={step.undo} isInForce={step.isInForce} />;
    case "budget":
      return <BudgetStep runId={runId} data={step.budget} />;
    case "question":
      return isOpenInterrupt(step.question) ? (
        <QuestionCard
          {...step.question}
          runId={runId}
          askedAtMs={step.question.requestedAtMs}
          isReady={step.question.status === "pending"}
        />
      ) : (
        <AnsweredQuestion data={step.question} />
      );
    case "compaction":
      return <CompactionLine memory={`${runId} ${step.key}`} compaction={step.compaction} />;
    case "steer":
      return <SteerMessage steer={step.steer} />;
    case "retry":
      return <RetryLine retry={step.retry} isLast={isLatest} />;
    case "rebuilt":
      return (
        <p className="text-sm leading-6 text-muted">The request of the failed step was built again: {step.reason}.</p>
      );
    case "remark":
      return <p className="text-sm leading-6 text-muted">{step.text}</p>;
    case "notice":
      return (
        <Suspense>
          <RunNotice notice={step.notice} traceHref={traceHref} {...ended} />
        </Suspense>
      );
  }
}

interface ReplyFootProps {
  message: ChatMessage;
  traceHref: string | null;
  takesThumbs: boolean;
}

/** One tab stop; arrows move to the others. */
function ReplyFoot({ message, traceHref, takesThumbs }: ReplyFootProps) {
  const text = messageText(message);
  return (
    <div
      role="toolbar"
      aria-label="Actions for the reply"
      onKeyDown={moveWithArrows}
      className="flex min-h-7 flex-wrap items-center gap-x-1 pl-8 text-xs text-muted"
    >
      {text === "" ? null : <CopyButton text={text} label="Copy reply" size="sm" />}
      {traceHref === null ? null : (
        <Link
          href={traceHref}
          prefetch={false}
          tabIndex={text === "" ? undefined : -1}
          aria-label="Open trace"
          title="Open trace"
          className={`${ICON_BUTTON} size-7 [&>svg]:size-3.5`}
        >
          <ListTree aria-hidden />
        </Link>
      )}
      <ReplyBranches message={message} />
      {text === "" ? null : <ReadAloudButton text={text} />}
      {takesThumbs ? <LazyThumbs runId={message.metadata?.runId} traceId={message.metadata?.traceId} /> : null}
      <span className="tnum min-w-0 flex-1 truncate">{footItems(message).join(" · ")}</span>
    </div>
  );
}

function footItems({ metadata }: ChatMessage): string[] {
  const { agentName, agentVersion, draftRevision, model, effort, usage, costUsd } = metadata ?? {};
  const version = agentVersion === undefined ? "" : versionLabel(agentVersion);
  const tried = draftRevision === 0 ? "as published" : `draft r${draftRevision}`;
  return [
    draftRevision !== undefined ? tried : agentName && version ? `${agentName} ${version}` : "",
    model === undefined ? "" : modelLabel(model),
    effort === undefined ? "" : EFFORT_LABELS[effort].toLowerCase(),
    ...(metadata === undefined ? [] : timeItems(metadata)),
    usage === undefined || usage.inputTokens === 0 ? "" : tokenText(usage),
    costUsd === undefined || usage?.inputTokens === 0 ? "" : costUsd === null ? "cost unknown" : formatCost(costUsd),
  ].filter(Boolean);
}

/** Worked and waited apart, as in the trace. */
function timeItems({ startedAtMs, endedAtMs, waitedMs = 0 }: NonNullable<ChatMessage["metadata"]>): string[] {
  if (startedAtMs === undefined || endedAtMs === undefined) return [];
  const workedMs = Math.max(0, endedAtMs - startedAtMs - waitedMs);
  if (waitedMs === 0) return [formatDuration(workedMs)];
  return [`worked ${formatDuration(workedMs)}`, `waited ${formatDuration(waitedMs)}`];
}
