"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ChatMessage } from "@/lib/client/chat/chat-message";
import { threadApprovalsQuery } from "@/lib/client/chat/decisions";
import type { ThreadChat } from "@/lib/client/chat/use-thread-chat";
import type { Approval } from "@/lib/schema/interrupt";
import { callKey, type Decisions } from "./decisions-context";
import { useDecide } from "./use-decide";

/** What the cards of a thread decide with, and how many calls wait in it. */
export function useThreadDecisions(threadId: string, { messages, refresh }: Pick<ThreadChat, "messages" | "refresh">) {
  const asked = useQuery(threadApprovalsQuery(threadId)).data?.approvals ?? null;
  const open = openCalls(messages.at(-1), asked);
  const firstCall = open[0] ?? null;
  const decide = useDecide("page", refresh);
  const decisions = useMemo<Decisions>(() => ({ firstCall, decide, asked }), [firstCall, decide, asked]);
  return { decisions, openCalls: open.length };
}

/** What can be decided, in the order of the page: the calls of the open reply, then those of subagents. */
function openCalls(message: ChatMessage | undefined, asked: readonly Approval[] | null): string[] {
  const runId = message?.metadata?.runId ?? "";
  const own = (message?.parts ?? []).flatMap((part) => {
    if (part.type !== "data-approval" && part.type !== "data-question") return [];
    return part.data.status === "pending" ? [callKey(runId, part.data.toolCallId)] : [];
  });
  const known = (asked ?? []).map(({ runId: ofRun, toolCallId }) => callKey(ofRun, toolCallId));
  return [...new Set([...own, ...known])];
}
