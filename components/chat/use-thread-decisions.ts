"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { showToast } from "@/components/ui/toast";
import { ApiError } from "@/lib/client/api";
import type { ChatMessage } from "@/lib/client/chat-message";
import { APPROVALS_KEY, approvalsQuery, decideCall } from "@/lib/client/decisions";
import { THREADS_KEY } from "@/lib/client/queries";
import type { ThreadRun } from "@/lib/client/use-thread-run";
import type { Decision } from "@/lib/schema/interrupt";
import type { Decisions } from "./decisions-context";

const ALREADY_DECIDED = 409;

/** What the cards of a thread decide with, and how many calls wait in it. */
export function useThreadDecisions(
  threadId: string,
  { messages, followAgain }: Pick<ThreadRun, "messages" | "followAgain">,
) {
  const queryClient = useQueryClient();
  const inbox = useQuery(approvalsQuery).data?.approvals.filter((approval) => approval.threadId === threadId) ?? [];
  const ownIds = pendingCallIds(messages.at(-1));
  const openIds = [...new Set([...ownIds, ...inbox.map(({ toolCallId }) => toolCallId)])];
  const firstCallId = openIds[0] ?? null;
  const decide: Decisions["decide"] = useLatest(async (runId: string, decision: Decision) => {
    try {
      await decideCall(runId, decision);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== ALREADY_DECIDED) throw error;
      showToast({ title: "This was decided already", description: error.message });
    }
    void queryClient.invalidateQueries({ queryKey: APPROVALS_KEY });
    void queryClient.invalidateQueries({ queryKey: [...THREADS_KEY, "list"] });
    await followAgain();
  });
  const decisions = useMemo<Decisions>(() => ({ firstCallId, decide }), [firstCallId, decide]);
  return { decisions, openCalls: openIds.length };
}

/** Calls of the open reply that can be decided now, in order. */
export function pendingCallIds(message: ChatMessage | undefined): string[] {
  return (message?.parts ?? []).flatMap((part) => {
    if (part.type !== "data-approval" && part.type !== "data-question") return [];
    return part.data.status === "pending" ? [part.data.toolCallId] : [];
  });
}

/** A function that stays the same while what it does follows the render: cards need not be drawn anew. */
function useLatest(work: Decisions["decide"]): Decisions["decide"] {
  const latest = useRef(work);
  useEffect(() => {
    latest.current = work;
  });
  return useCallback((runId, decision) => latest.current(runId, decision), []);
}
