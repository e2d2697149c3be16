import { isSummaryMessage } from "@/lib/agent/messages/summary-pair";
import type { Message } from "@/lib/schema/messages/message";

/**
 * The last `turns` user messages with the assistant and tool messages that follow them (S4 §5, stage 1). Null keeps
 * all. A client's system messages and the compaction summary belong to no turn and are kept.
 */
export function limitTurns(messages: readonly Message[], turns: number | null): readonly Message[] {
  if (turns === null) return messages;
  let left = turns;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message?.role !== "user" || isSummaryMessage(message)) continue;
    left -= 1;
    if (left > 0) continue;
    const before = messages.slice(0, index).filter((earlier) => earlier.role === "system" || isSummaryMessage(earlier));
    return [...before, ...messages.slice(index)];
  }
  return messages;
}
