import type { ChatChunk } from "@/lib/server/engine/transcript/ui-projection-state";

/**
 * Adds the AI SDK's own approval chunks to those of our cards, so that any client can answer with
 * `addToolApprovalResponse`; the id of an approval is its call's. A call that was not allowed ends as denied, not as
 * failed.
 */
export function approvalChunks(): (chunk: ChatChunk) => ChatChunk[] {
  const openCalls = new Set<string>();
  const deniedCalls = new Set<string>();
  return (chunk) => {
    if (chunk.type === "tool-input-available") openCalls.add(chunk.toolCallId);
    if (chunk.type === "tool-output-available" || chunk.type === "tool-output-error") {
      const { toolCallId } = chunk;
      openCalls.delete(toolCallId);
      const isDenied = deniedCalls.delete(toolCallId) && chunk.type === "tool-output-error";
      return isDenied ? [{ type: "tool-output-denied", toolCallId }] : [chunk];
    }
    // A subagent's call has no part in this message, which a client would need to show the approval.
    if (chunk.type !== "data-approval" || !openCalls.has(chunk.data.toolCallId)) return [chunk];
    const { toolCallId, status, reason, note } = chunk.data;
    if (status === "requested") return [chunk];
    if (status === "pending") {
      const why = reason === undefined ? {} : { reason };
      return [chunk, { type: "tool-approval-request", approvalId: toolCallId, toolCallId, ...why }];
    }
    const approved = status === "approved" || status === "edited";
    if (!approved) deniedCalls.add(toolCallId);
    const why = note === undefined ? {} : { reason: note };
    return [chunk, { type: "tool-approval-response", approvalId: toolCallId, approved, ...why }];
  };
}
