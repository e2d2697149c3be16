import type { ChatMessage } from "@/lib/client/chat/chat-message";
import type { SubagentData } from "@/lib/schema/messages/ui-message";
import { hasEnded } from "@/lib/schema/runs/run";

/** The agents that work for the run at the moment, in the order in which they began. */
export function agentsAtWork(messages: readonly ChatMessage[], runId: string | null): SubagentData[] {
  if (runId === null) return [];
  return messages
    .filter(({ role, metadata }) => role === "assistant" && metadata?.runId === runId)
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === "data-subagent" && !hasEnded(part.data.status) ? [part.data] : []));
}
