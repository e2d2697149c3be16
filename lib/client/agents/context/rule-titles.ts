import type { ContextRuleName } from "@/lib/schema/agents/context-rule";

/** Each rule's effect, in a few words. */
export const RULE_TITLES: Readonly<Record<ContextRuleName, string>> = {
  pruning_soft: "Old tool results are shortened",
  pruning_hard: "Old tool results are cleared",
  summarization: "Older messages are summarised for the call",
  memory_flush: "Lasting facts are saved to memory",
  compaction: "A summary replaces older messages",
};

/** "30%", "<1%". */
export function percentText(share: number): string {
  if (share > 0 && share < 0.01) return "<1%";
  return `${Math.round(share * 100)}%`;
}
