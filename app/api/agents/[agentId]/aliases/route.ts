import { z } from "zod";
import { AgentAliasList } from "@/lib/schema/agents/agent-version";
import { RowId } from "@/lib/schema/page-query";
import { listAliases } from "@/lib/server/agents/versions/agent-aliases";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ agentId: RowId }),
    reply: AgentAliasList,
    summary: "The names of the agent's versions",
  },
  async ({ services, params: { agentId }, viewer }) =>
    json({ aliases: await listAliases(services.database, agentId, viewer) }, { schema: AgentAliasList }),
);
