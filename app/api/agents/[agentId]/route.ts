import { z } from "zod";
import { AgentDetail, SaveAgentBody } from "@/lib/schema/agents/agent-api";
import { RowId } from "@/lib/schema/page-query";
import { configOf, deleteAgent, replaceConfig } from "@/lib/server/agents/change-agent";
import { getAgentDetail } from "@/lib/server/agents/get-agent-detail";
import { json, noContent } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ agentId: RowId });

export const GET = defineRoute(
  { access: "read", params, reply: AgentDetail, summary: "One agent; config and YAML for admins" },
  async ({ params: { agentId }, viewer }) =>
    json(await getAgentDetail(processServices(), agentId, viewer), { schema: AgentDetail }),
);

export const PATCH = defineRoute(
  {
    access: "admin",
    params,
    body: SaveAgentBody.omit({ id: true }),
    reply: AgentDetail,
    summary: "Publish a whole config or YAML as a new version",
  },
  async ({ params: { agentId }, body, viewer }) => {
    await replaceConfig(processServices(), agentId, configOf(processServices(), body), viewer, body);
    return json(await getAgentDetail(processServices(), agentId, viewer), { schema: AgentDetail });
  },
);

export const DELETE = defineRoute(
  { access: "admin", params, status: 204, summary: "Delete an agent; its threads and traces stay readable" },
  async ({ params: { agentId }, viewer }) => {
    await deleteAgent(processServices(), agentId, viewer);
    return noContent();
  },
);
