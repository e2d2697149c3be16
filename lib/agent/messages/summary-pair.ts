import type { PromptSection } from "@/lib/agent/model";
import type { Message } from "@/lib/schema/messages/message";

const LEAD = "[Previous conversation summary]";
const ID_PREFIX = "summary:";

/**
 * A thread's stored summary, as the two messages that replace what it summarises (S4 §8, D-5). `count` is in their ids.
 */
export function summaryPair(summary: string, count: number): readonly [Message, Message] {
  return [
    { id: `${ID_PREFIX}${count}.1`, role: "user", content: summaryText(summary) },
    {
      id: `${ID_PREFIX}${count}.2`,
      role: "assistant",
      content: "I understand the context of our earlier conversation and will go on from there.",
      toolCalls: [],
    },
  ];
}

/** The summary as a section of the system prompt (`compaction.placement: system`). */
export function summarySection(summary: string): PromptSection {
  return { name: "conversation-summary", text: summaryText(summary) };
}

/** True for the two messages of `summaryPair`, which are neither a turn of the conversation nor stored. */
export function isSummaryMessage({ id }: Message): boolean {
  return id?.startsWith(ID_PREFIX) ?? false;
}

function summaryText(summary: string): string {
  return `${LEAD}\n${summary}`;
}
