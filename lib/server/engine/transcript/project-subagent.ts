import { SubagentData } from "@/lib/schema/messages/ui-message";
import type { ChatChunk } from "./ui-projection-state";

/** The card of a subagent; the same id replaces it. Further fields of `data` are left out. */
export function showSubagent(data: SubagentData): ChatChunk {
  return { type: "data-subagent", id: data.toolCallId, data: SubagentData.parse(data) };
}
