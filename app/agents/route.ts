import { z } from "zod";
import { CreateAgentDocument, RawConfig } from "@/lib/schema/agents/agent-api";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { AgentInfo, AgentList } from "@/lib/schema/agents/agent-info";
import { addAgent } from "@/lib/server/agents/change-agent";
import { getAgentInfo, listAgentInfos } from "@/lib/server/agents/describe-agent";
import { json, parseInput } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", reply: AgentList, summary: "List agents" },
  async ({ services, viewer }) => json({ agents: await listAgentInfos(services, viewer) }, { schema: AgentList }),
);

export const POST = defineRoute(
  {
    access: "admin",
    body: RawConfig,
    bodyDocument: CreateAgentDocument,
    reply: AgentInfo,
    status: 201,
    summary: "Create an agent",
  },
  async ({ services, body, viewer }) => {
    const { agent_id: _, ...config } = body;
    const { agent_id: agentId } = parseInput(z.looseObject({ agent_id: AgentId }), body, "body");
    await addAgent(services, agentId, { raw: config }, viewer);
    return json(await getAgentInfo(services, agentId, viewer), { status: 201, schema: AgentInfo });
  },
);
