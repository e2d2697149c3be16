import { z } from "zod";
import { AgentDetail } from "@/lib/schema/agents/agent-api";
import { RowId } from "@/lib/schema/page-query";
import { restoreAgent } from "@/lib/server/agents/change-agent";
import { getAgentDetail } from "@/lib/server/agents/get-agent-detail";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ agentId: RowId }),
    reply: AgentDetail,
    summary: "Restore a deleted agent",
  },
  async ({ params: { agentId }, viewer }) => {
    await restoreAgent(processServices(), agentId, viewer);
    return json(await getAgentDetail(processServices(), agentId, viewer), { schema: AgentDetail });
  },
);
