"use client";
import { useState } from "react";
import { errorMessage } from "@/lib/client/ui/api";
import type { Decision } from "@/lib/schema/interrupt";
import { callKey, useDecisions } from "./decisions-context";

type OwnDecision = Omit<Decision, "tool_call_id">;

export interface OpenDecision {
  /** What was pressed and is on its way, or taken while the card still stands. */
  readonly sent: OwnDecision["decision"] | null;
  readonly error: string | null;
  readonly canDecide: boolean;
  /** True where it is only looked at: in a subagent's own transcript, and for those who may only read. */
  readonly isReadOnly: boolean;
  /** True once the agent was deleted: the server takes no decision. */
  readonly isAgentGone: boolean;
  /** Its keys work, and its main button is the brass one. */
  readonly isFirst: boolean;
  /** Resolves to whether the server has taken it. */
  readonly decide: (decision: OwnDecision) => Promise<boolean>;
}

/** One decision of one call: pressed once, and again only after a refusal. */
export function useDecision(runId: string, toolCallId: string): OpenDecision {
  const decisions = useDecisions();
  const [sent, setSent] = useState<OwnDecision["decision"] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const asked = decisions?.asked?.find((open) => open.runId === runId && open.toolCallId === toolCallId);
  const isAgentGone = asked?.agentDeleted ?? false;
  return {
    sent,
    error,
    isReadOnly: decisions === null,
    isAgentGone,
    canDecide: decisions !== null && sent === null && !isAgentGone,
    isFirst: decisions?.firstCall === callKey(runId, toolCallId),
    decide: async (decision) => {
      if (decisions === null || sent !== null || isAgentGone) return false;
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
