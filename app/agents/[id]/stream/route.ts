import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { InvokeBody, StreamQuery } from "@/lib/schema/apis/invoke";
import { streamAgent } from "@/lib/server/apis/agents/invoke-agent";
import { MAX_UPLOAD_BYTES } from "@/lib/server/http/read-body";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    idempotency: "own",
    access: "chat",
    maxBodyBytes: MAX_UPLOAD_BYTES,
    params: z.object({ id: AgentId }),
    query: StreamQuery,
    body: InvokeBody,
    produces: "text/event-stream",
    summary: "Run the agent and stream what happens; ?format=wick (default) or run",
  },
  ({ services, params: { id: agentId }, query: { format, version }, viewer, body, signal, idempotencyKey }) =>
    streamAgent(services, { agentId, version, viewer, body, signal, idempotencyKey }, format),
);
