"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { lazy, type ReactNode, Suspense } from "react";
import { AskCard } from "@/components/chat/asks/ask-card";
import { LinkButton } from "@/components/ui/controls/button";
import { StateChip, StateRing } from "@/components/ui/states/state-ring";
import { Tag } from "@/components/ui/tag";
import { Time } from "@/components/ui/time";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { askTitle, soFarText, sourceIcon, startedText, toldText } from "@/lib/client/inbox/inbox-labels";
import { askDetailQuery, askOutcomeQuery } from "@/lib/client/inbox/inbox-queries";
import { formatCost } from "@/lib/client/ui/text/format";
import { formatDuration } from "@/lib/schema/format-duration";
import type { AskDetail } from "@/lib/schema/inbox/ask-detail";
import type { Approval } from "@/lib/schema/runs/interrupt";
import { DecidedAsk } from "./decided-ask";
import { type DetailPlace, InboxDetail } from "./inbox-detail";

const Markdown = lazy(async () => ({
  default: (await loadWithRetry(() => import("@/components/ui/markdown/markdown"))).Markdown,
}));

/** What waits for a decision: how it came about, who was told, the last steps, and the card that decides it. */
export function OpenAsk({ ask, place }: { ask: Approval; place: DetailPlace }) {
  const { kind, toolCallId, tool, args, facts, reason, questions, budget, connect, runsIn, expiresAt, runId } = ask;
  const { subagent, waitingSince } = ask;
  return (
    <AskPlace
      ask={ask}
      place={place}
      state={<StateChip status="waiting" className="max-sm:hidden" note={<Time at={waitingSince} />} />}
    >
      <AskCard
        {...{ kind, toolCallId, tool, args, facts, reason, questions, budget, connect, runsIn, expiresAt, runId }}
        askedAtMs={Date.parse(waitingSince)}
        from={subagent}
      />
    </AskPlace>
  );
}

/** The same once it was decided elsewhere while it was open here. */
export function GoneAsk({ ask, place }: { ask: Approval; place: DetailPlace }) {
  const { data: outcome } = useQuery(askOutcomeQuery(ask.id));
  return (
    <AskPlace ask={ask} place={place} state={<Tag>no longer waits</Tag>}>
      <DecidedAsk title={askTitle(ask)} outcome={outcome ?? null} />
    </AskPlace>
  );
}

interface AskPlaceProps {
  ask: Approval;
  place: DetailPlace;
  state: ReactNode;
  children: ReactNode;
}

function AskPlace({ ask, place, state, children }: AskPlaceProps) {
  const { threadId, threadTitle, agentName, ownerName } = ask;
  const { data: detail } = useQuery(askDetailQuery(ask.id));
  return (
    <InboxDetail
      icon={sourceIcon(ask)}
      title={ask.source?.name ?? threadTitle ?? "New thread"}
      facts={
        <>
          <Tag className="max-sm:hidden">{agentName}</Tag>
          {state}
        </>
      }
      place={place}
      actions={
        ownerName === undefined ? (
          <LinkButton href={`/threads/${threadId}`}>Open thread</LinkButton>
        ) : (
          <span className="text-xs text-muted">a thread of {ownerName}</span>
        )
      }
    >
      {detail ? <Summary ask={ask} detail={detail} /> : null}
      {detail ? <Steps detail={detail} /> : null}
      {children}
    </InboxDetail>
  );
}

function Summary({ ask, detail }: { ask: Approval; detail: AskDetail }) {
  const { sourcePath, when, dueAt, startedAt, attended, told, costUsd } = detail;
  const started = startedText(ask, when);
  return (
    <dl className="mb-4 grid grid-cols-[88px_minmax(0,1fr)] gap-y-1.5 text-xs">
      <Fact label="Started by">
        {sourcePath === null ? (
          started
        ) : (
          <Link href={sourcePath} className="text-link underline underline-offset-2">
            {started}
          </Link>
        )}
        {dueAt === null ? null : (
          <>
            , due <Time at={dueAt} isInSentence />
          </>
        )}
        {startedAt === null ? null : (
          <>
            , started <Time at={startedAt} isInSentence />
          </>
        )}
      </Fact>
      {attended ? null : <Fact label="Nobody there">so it waits for your decision and costs nothing meanwhile</Fact>}
      {ask.ownerName === undefined ? <Fact label="Told">{toldText(told)}</Fact> : null}
      <Fact label="So far">
        <span className="tnum">{soFarText(detail, costUsd === null ? "cost unknown" : formatCost(costUsd))}</span>
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="break-words">{children}</dd>
    </>
  );
}

/** The latest calls, and what the model said before it asked. */
function Steps({ detail: { calls, said } }: { detail: AskDetail }) {
  if (calls.length === 0 && said === null) return null;
  return (
    <section aria-label="The last steps" className="mb-4">
      {calls.length === 0 ? null : (
        <ol className="border-y border-border">
          {calls.map(({ toolCallId, tool, gist, isError, durationMs }) => (
            <li
              key={toolCallId}
              className="flex min-h-8 items-center gap-2 border-b border-separator text-xs last:border-b-0"
            >
              <StateRing status={isError ? "failed" : "completed"} size={12} labelled />
              <span className="shrink-0 font-medium">{tool}</span>
              <code className="min-w-0 flex-1 truncate text-muted" title={gist}>
                {gist}
              </code>
              <span className="tnum shrink-0 text-muted">{formatDuration(durationMs)}</span>
            </li>
          ))}
        </ol>
      )}
      {said === null ? null : (
        <div className="mt-3 text-sm">
          <Suspense fallback={<p className="whitespace-pre-wrap wrap-anywhere">{said}</p>}>
            <Markdown text={said} />
          </Suspense>
        </div>
      )}
    </section>
  );
}
