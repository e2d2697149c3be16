import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { PermissionTestBody, PermissionTestReply } from "@/lib/schema/agents/permission";
import { testPermission } from "@/lib/server/agents/test-permission";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ agentId: AgentId }),
    body: PermissionTestBody,
    reply: PermissionTestReply,
    summary: "What the agent's permissions say about a call, and which rule decides; nothing runs",
  },
  async ({ services, params: { agentId }, viewer, body }) =>
    json(await testPermission(services, agentId, viewer.id, body), { schema: PermissionTestReply }),
);
