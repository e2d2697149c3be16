import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { VersionQuery } from "@/lib/schema/agents/agent-version";
import { InvokeBody, InvokeReply } from "@/lib/schema/apis/invoke";
import { invokeAgent } from "@/lib/server/apis/agents/invoke-agent";
import { MAX_UPLOAD_BYTES } from "@/lib/server/http/read-body";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    idempotency: "own",
    access: "chat",
    maxBodyBytes: MAX_UPLOAD_BYTES,
    params: z.object({ id: AgentId }),
    query: VersionQuery,
    body: InvokeBody,
    reply: InvokeReply,
    summary: "Run the agent, in the ?version= named, and answer when it has finished",
  },
  ({ services, params: { id: agentId }, query: { version }, viewer, body, signal, idempotencyKey }) =>
    invokeAgent(services, { agentId, version, viewer, body, signal, idempotencyKey }),
);
