import { z } from "zod";
import { AgentDetail } from "@/lib/schema/agents/agent-api";
import { RowId } from "@/lib/schema/page-query";
import { restoreAgent } from "@/lib/server/agents/change-agent";
import { getAgentDetail } from "@/lib/server/agents/get-agent-detail";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ agentId: RowId }),
    reply: AgentDetail,
    summary: "Restore a deleted agent",
  },
  async ({ services, params: { agentId }, viewer }) => {
    await restoreAgent(services, agentId, viewer);
    return json(await getAgentDetail(services, agentId, viewer), { schema: AgentDetail });
  },
);
