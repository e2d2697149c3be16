"use client";
import { Play, RotateCcw } from "lucide-react";
import { useId, useState } from "react";
import { useIsAdmin, useViewerId } from "@/components/shell/shell-context";
import { Button, LinkButton } from "@/components/ui/controls/button";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { Kbd } from "@/components/ui/kbd";
import { Notice } from "@/components/ui/states/notice";
import { type FailureRemedy, remedyOf } from "@/lib/client/chat/failure-remedy";
import type { ChosenStep, NextStep } from "@/lib/client/chat/threads/thread-actions";
import { useOneAtATime } from "@/lib/client/ui/use-one-at-a-time";
import type { MessageMetadata, NoticeData } from "@/lib/schema/messages/ui-message";
import { failureText } from "@/lib/schema/runs/failure-text";
import type { RunStatus } from "@/lib/schema/runs/run";
import { RetryModels } from "./retry-models";

const STATUS: Record<NoticeData["kind"], RunStatus> = {
  limit: "limit",
  empty: "completed",
  cut: "limit",
  withheld: "limit",
  "text-call": "limit",
  failed: "failed",
  cancelled: "cancelled",
  interrupted: "interrupted",
};

const TITLES: Record<NoticeData["kind"], string> = {
  limit: "Stopped at the limit",
  empty: "The model gave no answer",
  cut: "The answer was cut short",
  withheld: "The provider withheld the answer",
  "text-call": "A tool call came as text",
  failed: "The run failed",
  cancelled: "The run was stopped",
  interrupted: "The server stopped during the run",
};

/** The first sentence, if it is short enough for a title, and what follows it. */
const CAUSE = /^(\p{Lu}[^\n]{8,78}?)\.(?:\s+(\S.*))?$/su;

/** The steps that the server accepts (D-85), the usual one first. */
const NEXT_STEPS: Record<NoticeData["kind"], readonly [NextStep, ...NextStep[]]> = {
  limit: ["continue"],
  empty: ["retry"],
  cut: ["continue"],
  withheld: ["retry"],
  "text-call": ["continue"],
  failed: ["retry", "continue"],
  cancelled: ["continue", "retry"],
  interrupted: ["continue", "retry"],
};

/** A withheld answer of which something was said is no failed step. */
function nextStepsOf({ kind, retryStep }: NoticeData) {
  return kind === "withheld" && retryStep === undefined ? NEXT_STEPS.cut : NEXT_STEPS[kind];
}

/** The same request would fail in the same way. */
const WITHOUT_RETRY: readonly NextStep[] = ["continue"];

const LABELS: Record<NextStep, string> = { continue: "Continue", retry: "Retry" };

const KEYS: Record<NextStep, string> = { continue: "g", retry: "r" };

const CONTINUES = "Carries on from here. You can send a message instead.";

/** Only a trace stores a request as it was sent. */
function retrySentence({ retryStep }: NoticeData, isTraced: boolean): string {
  if (retryStep === undefined) {
    return "Carries on after the last finished step, with the version of this run.";
  }
  return isTraced ? "Repeats the same request." : "Builds the same request again, because this run has no trace.";
}

function goneText(steps: readonly NextStep[]): string {
  if (steps.length > 1)
    return "Its steps are no longer recorded, so it cannot be continued or retried. Send a message instead.";
  return steps[0] === "continue"
    ? "Its steps are no longer recorded, so it cannot be continued. Send a message instead."
    : "Its steps are no longer recorded, so it cannot be retried. Send your message again instead.";
}

const KEPT: Partial<Record<NoticeData["kind"], string>> = {
  cancelled: "What was written so far is kept.",
  interrupted: "Finished steps are kept.",
};

function keptText(kind: NoticeData["kind"], isEmpty: boolean): string | undefined {
  return isEmpty && KEPT[kind] !== undefined ? "Nothing had been written." : KEPT[kind];
}

export interface RunNoticeProps {
  notice: NoticeData;
  traceHref: string | null;
  stoppedBy?: MessageMetadata["stoppedBy"];
  /** Null on older runs: only the latest can be continued. */
  onNextStep: ((step: NextStep, chosen?: ChosenStep) => Promise<unknown>) | null;
  /** Nothing stands before it: the run ended before its first word or call. */
  isEmpty?: boolean;
  /** The reply's id. */
  messageId?: string;
  /** Its steps are no longer recorded: there is nothing to continue from. */
  isJournalGone?: boolean;
}

/** If a failure's first sentence is its cause, that is the title; the rest says what to do. */
function titleAndText({ kind, error, text }: NoticeData, stopper: string | null): { title: string; text: string } {
  if (kind === "cancelled" && stopper !== null) return { title: `Stopped by ${stopper}`, text };
  const message = withoutPrefix(error?.message ?? text);
  const [, cause = "", rest = ""] = kind === "failed" ? (CAUSE.exec(message) ?? []) : [];
  return cause === "" ? { title: TITLES[kind], text: message } : { title: cause, text: rest };
}

/** A run's ending if it did not simply complete, and the next step. */
export function RunNotice({
  notice,
  traceHref,
  onNextStep,
  stoppedBy,
  messageId,
  isEmpty = false,
  isJournalGone = false,
}: RunNoticeProps) {
  const viewerId = useViewerId();
  const { title, text } = titleAndText(notice, stopperOf(stoppedBy, viewerId));
  const { isRetryUseless, link } = remedyOf(notice);
  const nextSteps = isRetryUseless ? WITHOUT_RETRY : nextStepsOf(notice);
  const { code } = notice.error ?? {};
  return (
    <Notice
      status={STATUS[notice.kind]}
      title={title}
      actions={<Links remedy={onNextStep === null ? null : link} traceHref={traceHref} />}
      choices={
        onNextStep && !isJournalGone ? (
          <NextSteps
            steps={nextSteps}
            sentences={{ continue: CONTINUES, retry: retrySentence(notice, traceHref !== null) }}
            onNextStep={onNextStep}
          />
        ) : null
      }
      foot={
        code === undefined ? null : (
          <>
            <code className="min-w-0 truncate">{code}</code>
            <CopyButton text={code} label="Copy the error code" size="sm" />
            {onNextStep &&
            !isJournalGone &&
            messageId !== undefined &&
            (isRetryUseless || nextSteps.includes("retry")) ? (
              <span className="ml-auto">
                <RetryModels messageId={messageId} onRetry={(chosen) => onNextStep("retry", chosen)} />
              </span>
            ) : null}
          </>
        )
      }
    >
      <NoticeText kind={notice.kind} text={text} kept={keptText(notice.kind, isEmpty)} />
      {onNextStep && isJournalGone ? <p>{goneText(nextSteps)}</p> : null}
    </Notice>
  );
}

/** To the trace and, for those who may, to where the cause can be removed. */
function Links({ remedy, traceHref }: { remedy: FailureRemedy["link"]; traceHref: string | null }) {
  const isAdmin = useIsAdmin();
  return (
    <>
      {remedy === null || (remedy.isForAdmins && !isAdmin) ? null : (
        <LinkButton href={remedy.href}>{remedy.label}</LinkButton>
      )}
      {traceHref === null ? null : (
        <LinkButton href={traceHref} variant="ghost">
          Open trace
        </LinkButton>
      )}
    </>
  );
}

/** "you", or the name of the person who stopped it; null if unknown. */
function stopperOf(stoppedBy: MessageMetadata["stoppedBy"], viewerId: string | null): string | null {
  if (stoppedBy === undefined) return null;
  return stoppedBy.id === viewerId ? "you" : (stoppedBy.name ?? null);
}

interface NextStepsProps {
  steps: readonly NextStep[];
  sentences: Readonly<Record<NextStep, string>>;
  onNextStep: (step: NextStep) => Promise<unknown>;
}

/** Only one of them can be requested, once; it waits for the server, which may take a while. */
function NextSteps({ steps, sentences, onNextStep }: NextStepsProps) {
  const id = useId();
  const [pending, setPending] = useState<NextStep | null>(null);
  const attempt = useOneAtATime(pending !== null);
  const takeNextStep = async (step: NextStep) => {
    setPending(step);
    await onNextStep(step).finally(() => setPending(null));
  };
  return steps.map((step) => (
    <div
      key={step}
      className="flex items-center gap-3 border-t border-separator py-2.5 pr-2.5 pl-[39px] max-sm:flex-wrap"
    >
      <div className="min-w-0 flex-1 text-sm max-sm:basis-full">
        <p className="font-medium">{LABELS[step]}</p>
        <p id={`${id}-${step}`} className="text-muted">
          {sentences[step]}
        </p>
      </div>
      <Button
        aria-describedby={`${id}-${step}`}
        data-next-step={step}
        className="min-w-[112px]"
        isPending={pending === step}
        onPress={() => attempt(() => void takeNextStep(step))}
      >
        {step === "retry" ? <RotateCcw aria-hidden /> : <Play aria-hidden />}
        {LABELS[step]}
        <span aria-hidden>
          <Kbd>{KEYS[step]}</Kbd>
        </span>
      </Button>
    </div>
  ));
}

/** The APIs say which part of the loop failed; here only the sentence after it helps. */
function withoutPrefix(text: string): string {
  return failureText(text);
}

interface NoticeTextProps {
  kind: NoticeData["kind"];
  text: string;
  kept: string | undefined;
}

function NoticeText({ kind, text, kept }: NoticeTextProps) {
  if (kind === "cancelled") return <p>{kept}</p>;
  return (
    <>
      {text === "" ? null : <p>{text}</p>}
      {kept ? <p>{kept}</p> : null}
    </>
  );
}
