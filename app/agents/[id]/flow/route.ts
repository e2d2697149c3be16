import { z } from "zod";
import { AgentFlow } from "@/lib/schema/agents/agent-api";
import { VersionQuery } from "@/lib/schema/agents/agent-version";
import { RowId } from "@/lib/schema/page-query";
import { getAgentFlow } from "@/lib/server/agents/describe-agent";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ id: RowId }),
    query: VersionQuery,
    reply: AgentFlow,
    summary: "Hooks by phase, limits and steps",
  },
  async ({ services, params: { id }, query, viewer }) =>
    json(await getAgentFlow(services, id, viewer, query.version), { schema: AgentFlow }),
);
