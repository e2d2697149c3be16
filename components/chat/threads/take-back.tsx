"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { Kbd } from "@/components/ui/kbd";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import { ClockTime } from "@/components/ui/time";
import { threadQuery } from "@/lib/client/chat/thread-queries";
import { delegatesQuery } from "@/lib/client/chat/threads/delegates-query";
import { updateThread } from "@/lib/client/chat/threads/thread-actions";
import { errorMessage } from "@/lib/client/http/api";
import { filesKey } from "@/lib/client/http/query-keys";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { showToast } from "@/lib/client/ui/toast-store";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import type { ThreadDetail } from "@/lib/schema/threads/thread";

/** Above the composer of a thread that was handed over: who answers, and the way back. */
export function TakeBackLine({ threadId, name, ownName }: { threadId: string; name: string; ownName: string }) {
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
      <span>
        <strong className="font-medium text-foreground">{name}</strong> answers instead of {ownName}.
      </span>
      <TakeBackButton threadId={threadId} />
    </div>
  );
}

/** In the side panel of a thread that was handed over: who answers, and who else could be asked to. */
export function WhoAnswers({ detail, agent, mayChange }: WhoAnswersProps) {
  const { activeAgentId, agentId, activeSince } = detail;
  const name = agent?.name ?? activeAgentId;
  return (
    <>
      <Section title="Who answers" extra="in this thread">
        <ul className="text-sm">
          <li className="flex min-h-8 items-center gap-1.5 rounded-md bg-default px-2">
            <Mark size={14} />
            <span className="truncate font-medium">{name}</span>
            <span className="text-muted">{agent ? `v${agent.version}` : ""}</span>
            {activeSince === undefined ? null : (
              <span className="ml-auto shrink-0 text-xs text-muted">
                since <ClockTime at={activeSince} />
              </span>
            )}
          </li>
          <li className="flex min-h-8 items-center gap-1.5 px-2">
            <Mark size={14} />
            <span className="truncate font-medium">{detail.agentName}</span>
            <span className="min-w-0 flex-1 truncate text-xs text-muted">the thread’s own</span>
            {mayChange ? <TakeBackButton threadId={detail.id} /> : null}
          </li>
        </ul>
        {mayChange ? (
          <p className="mt-1 text-xs text-muted">
            It takes effect with your next message. A run in progress finishes first.
          </p>
        ) : null}
      </Section>
      <AlsoHandedTo agentId={activeAgentId} ownId={agentId} />
    </>
  );
}

/** Whom the agent that answers may hand the thread to in its turn. */
function AlsoHandedTo({ agentId, ownId }: { agentId: string; ownId: string }) {
  const { data = [] } = useQuery(delegatesQuery(agentId));
  const others = data.filter(({ id }) => id !== ownId);
  if (others.length === 0) return null;
  return (
    <Section title="Can also be handed to" extra={others.length}>
      <ul className="max-h-48 overflow-y-auto text-sm">
        {others.map(({ id, name, description }) => (
          <li key={id} className="flex min-h-7 items-center gap-1.5">
            <Mark size={14} />
            <span className="max-w-[60%] shrink-0 truncate">{name}</span>
            <span className="min-w-0 truncate text-xs text-muted" title={description}>
              {description}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface WhoAnswersProps {
  detail: ThreadDetail;
  agent: AgentInfo | undefined;
  mayChange: boolean;
}

/** Takes effect with the next message; the active run finishes. With `hasKey`, `b` presses it. */
export function TakeBackButton({ threadId, hasKey = false }: { threadId: string; hasKey?: boolean }) {
  const queryClient = useQueryClient();
  const [isSending, setSending] = useState(false);
  const takeBack = async () => {
    setSending(true);
    try {
      await updateThread(threadId, { activeAgentId: null });
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: threadQuery(threadId).queryKey }),
        queryClient.invalidateQueries({ queryKey: filesKey(threadId) }),
      ]);
    } catch (error) {
      showToast({ title: errorMessage(error), tone: "error" });
    } finally {
      setSending(false);
    }
  };
  useShortcuts(hasKey ? { b: () => void takeBack() } : {});
  return (
    <Button size="sm" isDisabled={isSending} onPress={() => void takeBack()}>
      <Undo2 className="size-3.5" aria-hidden />
      Take back
      {hasKey ? <Kbd>b</Kbd> : null}
    </Button>
  );
}

/** Above the files of a thread that was handed over. */
export function FilesOwner({ name }: { name: string }) {
  return <p className="px-4 pt-3 text-xs text-muted">These are the files of {name}, which answers now.</p>;
}
