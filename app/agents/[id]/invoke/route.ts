import { z } from "zod";
import { AgentId } from "@/lib/schema/agent-id";
import { InvokeBody, InvokeReply } from "@/lib/schema/invoke";
import { defineRoute } from "@/lib/server/route";
import { invokeAgent } from "@/lib/server/runs/invoke-agent";
import { readIdempotencyKey } from "@/lib/server/threads/send-message";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ id: AgentId }),
    body: InvokeBody,
    reply: InvokeReply,
    summary: "Run the agent and answer when it has finished",
  },
  ({ params: { id: agentId }, viewer, body, request, signal }) =>
    invokeAgent({ agentId, viewer, body, signal, idempotencyKey: readIdempotencyKey(request) }),
);
