import { z } from "zod";
import { AgentDetail, DuplicateAgentBody } from "@/lib/schema/agents/agent-api";
import { RowId } from "@/lib/schema/page-query";
import { duplicateAgent } from "@/lib/server/agents/change-agent";
import { getAgentDetail } from "@/lib/server/agents/get-agent-detail";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ agentId: RowId }),
    body: DuplicateAgentBody,
    reply: AgentDetail,
    status: 201,
    summary: "Create a new agent with the published config of this one",
  },
  async ({ services, params: { agentId }, body, viewer }) => {
    await duplicateAgent(services, agentId, body, viewer);
    return json(await getAgentDetail(services, body.id, viewer), { status: 201, schema: AgentDetail });
  },
);
