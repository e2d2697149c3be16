import { useCallback, useMemo, useRef } from "react";
import type { ChatMessage } from "@/lib/client/chat/chat-message";
import type { ThreadDetail } from "@/lib/schema/threads/thread";
import type { BranchedThread } from "./branch-context";

interface Shown {
  readonly mayChat: boolean;
  readonly isRunningElsewhere: boolean;
  readonly activeVersion: number | undefined;
  readonly shown: readonly ChatMessage[];
}

/** The facts that messages need about their thread; the same object as long as none of them changes. */
export function useBranchedThread(
  { id, agentId, activeAgentId, takenBackAt }: ThreadDetail,
  { mayChat, isRunningElsewhere, activeVersion, shown }: Shown,
): BranchedThread | null {
  const messages = useRef(shown);
  messages.current = shown;
  const repliesAround = useCallback((runId: string) => {
    const replies = messages.current.filter(({ metadata }) => metadata?.runId !== undefined);
    const at = replies.findIndex(({ metadata }) => metadata?.runId === runId);
    const next = replies.slice(at + 1).find(({ metadata }) => metadata?.runId !== runId);
    return [replies[at]?.metadata, next?.metadata] as const;
  }, []);
  return useMemo(() => {
    if (!mayChat) return null;
    const takenBack = takenBackAt === undefined ? null : handoffBefore(messages.current, Date.parse(takenBackAt));
    return { id, agentId, activeAgentId, isRunningElsewhere, activeVersion, takenBack, repliesAround };
  }, [mayChat, id, agentId, activeAgentId, isRunningElsewhere, activeVersion, takenBackAt, repliesAround]);
}

/** The handoff that a person took back at that time: the last one before it. */
function handoffBefore(messages: readonly ChatMessage[], atMs: number): BranchedThread["takenBack"] {
  for (const { parts } of messages.toReversed()) {
    for (const part of parts.toReversed()) {
      if (part.type === "data-handoff" && part.data.atMs <= atMs) return { toolCallId: part.data.toolCallId, atMs };
    }
  }
  return null;
}
