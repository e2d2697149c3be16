"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, useCallback, useContext, useDeferredValue, useMemo, useState } from "react";
import { type ChatMessage, isAskPart } from "@/lib/client/chat/chat-message";
import type { Asked } from "@/lib/client/chat/threads/group-threads";
import type { ThreadChat } from "@/lib/client/chat/use-thread-chat";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { APPROVALS_KEY, GRANTS_KEY, THREADS_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import type { Approval, Decision } from "@/lib/schema/runs/interrupt";
import { approvalsQuery, decideCall, threadApprovalsQuery } from "./decisions";
import { interruptGist } from "./interrupt-labels";

export interface Decisions {
  /**
   * Sends the decision; rejects if the server refuses it. An earlier decision by another person is not an error: the
   * card shows it.
   */
  readonly decide: (runId: string, decision: Decision) => Promise<unknown>;
  /** The call that the shortcuts and the one brass button belong to (`callKey`). */
  readonly firstCall: string | null;
  /** The asks of the thread and those below it; null until known. */
  readonly asked: readonly Approval[] | null;
}

const DecisionsContext = createContext<Decisions | null>(null);
export const DecisionsProvider = DecisionsContext.Provider;

/** Null if nothing can be decided, as in a subagent's transcript. */
export function useDecisions(): Decisions | null {
  return useContext(DecisionsContext);
}

/** Identifies a call across runs: call ids are unique only within a run. */
export function callKey(runId: string, toolCallId: string): string {
  return `${runId} ${toolCallId}`;
}

/** The decisions for a thread's cards, and how many calls wait in it. */
export function useThreadDecisions(threadId: string, { messages, refresh }: Pick<ThreadChat, "messages" | "refresh">) {
  const asked = useQuery(threadApprovalsQuery(threadId)).data?.approvals ?? null;
  const open = openCalls(messages.at(-1), asked);
  const firstCall = open[0] ?? null;
  const decide = useDecide("page", refresh);
  const decisions = useMemo<Decisions>(() => ({ firstCall, decide, asked }), [firstCall, decide, asked]);
  // Deferred: an urgent change makes React drop server-rendered cards whose scripts are still loading.
  return { decisions: useDeferredValue(decisions), openCalls: open.length };
}

/** The calls that can be decided, in page order: those of the open reply, then those of subagents. */
function openCalls(message: ChatMessage | undefined, asked: readonly Approval[] | null): string[] {
  const runId = message?.metadata?.runId ?? "";
  const own = (message?.parts ?? []).flatMap((part) => {
    return isAskPart(part) && part.data.status === "pending" ? [callKey(runId, part.data.toolCallId)] : [];
  });
  const known = (asked ?? []).map(({ runId: ofRun, toolCallId }) => callKey(ofRun, toolCallId));
  return [...new Set([...own, ...known])];
}

/** The error code for a call that has already been decided; `not_waiting` is a 409 too. */
const ALREADY_DECIDED = "conflict";

/**
 * Sends decisions and refetches everything they change; if another tab was faster, the person is told, and it resolves
 * to false. The function is stable as long as `afterwards` is, so that cards need not rerender.
 */
export function useDecide(
  via: "page" | "inbox",
  afterwards?: () => Promise<void>,
): (runId: string, decision: Decision) => Promise<boolean> {
  const queryClient = useQueryClient();
  return useCallback(
    async (runId: string, decision: Decision) => {
      let isOurs = true;
      try {
        await decideCall(runId, decision, via);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== ALREADY_DECIDED) throw error;
        isOurs = false;
        showToast({ title: "Already decided", description: error.message });
      }
      void queryClient.invalidateQueries({ queryKey: APPROVALS_KEY });
      void queryClient.invalidateQueries({ queryKey: [...THREADS_KEY, "list"] });
      if (decision.scope === "thread" || decision.scope === "pattern")
        void queryClient.invalidateQueries({ queryKey: GRANTS_KEY });
      await afterwards?.();
      return isOurs;
    },
    [queryClient, via, afterwards],
  );
}

type OwnDecision = Omit<Decision, "tool_call_id">;

export interface OpenDecision {
  /** The decision that is being sent, or was accepted while the card is still shown. */
  readonly sent: OwnDecision["decision"] | null;
  readonly error: string | null;
  readonly canDecide: boolean;
  /** True if it can only be viewed: in a subagent's own transcript, and for people with read access only. */
  readonly isReadOnly: boolean;
  /** True once the agent was deleted: the server then accepts no decision. */
  readonly isAgentDeleted: boolean;
  /** Its shortcuts work, and its main button is the brass one. */
  readonly isFirst: boolean;
  /** The agent that asks; null until that is known. */
  readonly agentId: string | null;
  /** Resolves to whether the server accepted it. */
  readonly decide: (decision: OwnDecision) => Promise<boolean>;
}

/** One decision on one call: it can be sent once, and again only after a refusal. */
export function useDecision(runId: string, toolCallId: string): OpenDecision {
  const decisions = useDecisions();
  const [sent, setSent] = useState<OwnDecision["decision"] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const asked = decisions?.asked?.find((open) => open.runId === runId && open.toolCallId === toolCallId);
  const isAgentDeleted = asked?.agentDeleted ?? false;
  return {
    sent,
    error,
    isReadOnly: decisions === null,
    isAgentDeleted,
    canDecide: decisions !== null && sent === null && !isAgentDeleted,
    isFirst: decisions?.firstCall === callKey(runId, toolCallId),
    agentId: asked?.agentId ?? null,
    decide: async (decision) => {
      if (decisions === null || sent !== null || isAgentDeleted) return false;
      setSent(decision.decision);
      setError(null);
      try {
        await decisions.decide(runId, { tool_call_id: toolCallId, ...decision });
        return true;
      } catch (refusal) {
        setError(errorMessage(refusal));
        setSent(null);
        return false;
      }
    },
  };
}

/** The first ask of each waiting thread; null while unknown, or if there are too many for one page. */
export function useAsked(): Asked {
  const { data } = useQuery(approvalsQuery);
  return useMemo(() => {
    if (data === undefined || data.nextCursor !== null) return null;
    return new Map(data.approvals.toReversed().map((approval) => [approval.threadId, interruptGist(approval)]));
  }, [data]);
}
