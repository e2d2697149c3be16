import { SubagentData } from "@/lib/schema/messages/ui-message";
import type { ChatChunk } from "./ui-projection-state";

/** The card of a subagent; a card with the same id replaces it. Further fields of `data` are omitted. */
export function showSubagent(data: SubagentData): ChatChunk {
  return { type: "data-subagent", id: data.toolCallId, data: SubagentData.parse(data) };
}
