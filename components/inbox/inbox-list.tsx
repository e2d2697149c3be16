"use client";
import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { AskCard } from "@/components/chat/asks/ask-card";
import { StateRing } from "@/components/ui/states/state-ring";
import { Tag } from "@/components/ui/tag";
import { Time } from "@/components/ui/time";
import type { InboxGroup } from "@/lib/client/chat/asks/inbox-groups";
import { interruptGist } from "@/lib/client/chat/asks/interrupt-words";
import { rowId } from "@/lib/client/chat/asks/use-inbox-choice";
import { classNames } from "@/lib/client/ui/class-names";
import type { Approval } from "@/lib/schema/runs/interrupt";

export interface InboxListProps {
  groups: readonly InboxGroup[];
  openId: string | null;
  onToggle: (approvalId: string) => void;
}

/** By thread, longest wait first. One item is open and decided in place. */
export function InboxList({ groups, openId, onToggle }: InboxListProps) {
  return (
    <div className="mx-auto flex max-w-[776px] flex-col gap-5 px-6 py-5 max-sm:px-3">
      {groups.map(({ threadId, title, agentName, approvals }) => (
        <section key={threadId}>
          <header className="mb-1.5 flex min-h-7 items-center gap-2">
            <h2 className="min-w-0 text-sm font-medium">
              {approvals[0]?.ownerName === undefined ? (
                <Link
                  href={`/threads/${threadId}`}
                  className="flex items-center hover:underline touch-target"
                  title={title}
                >
                  <span className="truncate">{title}</span>
                </Link>
              ) : (
                `${title}, a thread of ${approvals[0].ownerName}`
              )}
            </h2>
            <Tag>{agentName}</Tag>
          </header>
          <ul aria-label={`Waiting in ${title}`} className="border-y border-border">
            {approvals.map((approval) => (
              <InboxItem
                key={approval.id}
                approval={approval}
                isOpen={approval.id === openId}
                onToggle={() => onToggle(approval.id)}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface InboxItemProps {
  approval: Approval;
  isOpen: boolean;
  onToggle: () => void;
}

function InboxItem({ approval, isOpen, onToggle }: InboxItemProps) {
  const { id, kind, toolCallId, tool, args, reason, questions, budget, connect, runsIn, expiresAt } = approval;
  const { runId, subagent, waitingSince } = approval;
  const bodyId = `${rowId(id)}-card`;
  return (
    <li className="border-b border-separator last:border-b-0">
      <button
        type="button"
        id={rowId(id)}
        aria-expanded={isOpen}
        aria-controls={isOpen ? bodyId : undefined}
        onClick={onToggle}
        className="flex min-h-9 w-full items-center gap-2 px-1.5 text-left text-sm -outline-offset-2 touch-row hover:bg-default"
      >
        <ChevronRight className={classNames("size-3.5 shrink-0 text-subtle", isOpen && "rotate-90")} aria-hidden />
        <StateRing status="waiting" labelled />
        <span className="min-w-0 flex-1 truncate text-signal-text" title={interruptGist(approval)}>
          {interruptGist(approval)}
        </span>
        {subagent === undefined ? null : <Tag className="max-sm:hidden">{subagent}</Tag>}
        <Time at={waitingSince} className="tnum shrink-0 text-xs text-muted" />
      </button>
      {isOpen ? (
        <div id={bodyId} className="pb-3">
          <AskCard
            {...{ kind, toolCallId, tool, args, reason, questions, budget, connect, runsIn, expiresAt, runId }}
            askedAtMs={Date.parse(waitingSince)}
            from={subagent}
          />
        </div>
      ) : null}
    </li>
  );
}
