import { z } from "zod";
import { AgentFlow } from "@/lib/schema/agents/agent-api";
import { RowId } from "@/lib/schema/page-query";
import { getAgentFlow } from "@/lib/server/agents/describe-agent";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", params: z.object({ id: RowId }), reply: AgentFlow, summary: "Hooks by phase, limits and steps" },
  async ({ params: { id } }) => json(await getAgentFlow(id), { schema: AgentFlow }),
);
