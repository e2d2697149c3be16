import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { TryHookBody, TryHookReply } from "@/lib/schema/agents/try-hook";
import { tryHook } from "@/lib/server/agents/hooks/try-hook";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ agentId: AgentId }),
    body: TryHookBody,
    reply: TryHookReply,
    summary: "Run one hook of the draft on sample messages or a call; no model, no tool, nothing stored",
  },
  async ({ services, params: { agentId }, viewer, body }) =>
    json(await tryHook(services, { agentId, body }, viewer), { schema: TryHookReply }),
);
