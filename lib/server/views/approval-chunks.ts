import type { ChatChunk } from "@/lib/server/engine/transcript/ui-projection-state";

type Card = Extract<ChatChunk, { type: "data-approval" }>["data"];

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
    const ofSdk = approvalChunk(chunk.data);
    if (ofSdk === null) return [chunk];
    if (ofSdk.type === "tool-approval-response" && !ofSdk.approved) deniedCalls.add(chunk.data.toolCallId);
    return [chunk, ofSdk];
  };
}

/** Null while the card only says that somebody will be asked. */
function approvalChunk({ toolCallId, status, reason, note }: Card) {
  const approvalId = toolCallId;
  switch (status) {
    case "requested":
      return null;
    case "pending":
      return {
        type: "tool-approval-request" as const,
        approvalId,
        toolCallId,
        ...(reason === undefined ? {} : { reason }),
      };
    default: {
      const approved = status === "approved" || status === "edited";
      const type = "tool-approval-response" as const;
      return { type, approvalId, approved, ...(note === undefined ? {} : { reason: note }) };
    }
  }
}
