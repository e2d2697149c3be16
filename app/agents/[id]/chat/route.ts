import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { VersionQuery } from "@/lib/schema/agents/agent-version";
import { ChatBody, ChatDocument } from "@/lib/schema/apis/chat";
import { chatWithAgent } from "@/lib/server/apis/agents/chat-with-agent";
import { MAX_UPLOAD_BYTES } from "@/lib/server/http/read-body";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    idempotency: "own",
    access: "chat",
    maxBodyBytes: MAX_UPLOAD_BYTES,
    params: z.object({ id: AgentId }),
    query: VersionQuery,
    body: ChatBody,
    bodyDocument: ChatDocument,
    produces: "text/event-stream",
    summary:
      "Talk to the agent from the AI SDK's useChat: its last message, approvals or a regeneration, streamed back",
  },
  ({ services, params: { id: agentId }, query: { version }, viewer, body, signal, idempotencyKey }) =>
    chatWithAgent(services, { agentId, version, viewer, body, signal, idempotencyKey }),
);
