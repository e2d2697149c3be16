import { z } from "zod";
import { AgentDetail, SaveAgentBody } from "@/lib/schema/agents/agent-api";
import { RowId } from "@/lib/schema/page-query";
import { configOf, deleteAgent, replaceConfig } from "@/lib/server/agents/change-agent";
import { getAgentDetail } from "@/lib/server/agents/get-agent-detail";
import { json, noContent } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ agentId: RowId });

export const GET = defineRoute(
  { access: "read", params, reply: AgentDetail, summary: "One agent; config and YAML for admins" },
  async ({ services, params: { agentId }, viewer }) =>
    json(await getAgentDetail(services, agentId, viewer), { schema: AgentDetail }),
);

export const PATCH = defineRoute(
  {
    access: "admin",
    params,
    body: SaveAgentBody.omit({ id: true }),
    reply: AgentDetail,
    summary: "Publish a whole config or YAML as a new version",
  },
  async ({ services, params: { agentId }, body, viewer }) => {
    const { note, baseVersion } = body;
    await replaceConfig(services, agentId, { ...configOf(services, body), note, baseVersion }, viewer);
    return json(await getAgentDetail(services, agentId, viewer), { schema: AgentDetail });
  },
);

export const DELETE = defineRoute(
  { access: "admin", params, status: 204, summary: "Delete an agent; its threads and traces stay readable" },
  async ({ services, params: { agentId }, viewer }) => {
    await deleteAgent(services, agentId, viewer);
    return noContent();
  },
);
