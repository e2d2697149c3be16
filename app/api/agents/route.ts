import { AgentListQuery } from "@/lib/schema/agents/agent-activity";
import { AgentDetail, AgentDetailList, CreateAgentBody } from "@/lib/schema/agents/agent-api";
import { AppError } from "@/lib/schema/app-error";
import { hasAdminScope } from "@/lib/schema/users/user";
import { addAgent, configOf } from "@/lib/server/agents/change-agent";
import { listAgentInfos } from "@/lib/server/agents/describe-agent";
import { addDraftAgent } from "@/lib/server/agents/drafts/new-agent";
import { listUnpublished } from "@/lib/server/agents/drafts/unpublished";
import { getAgentDetail } from "@/lib/server/agents/get-agent-detail";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: AgentListQuery,
    reply: AgentDetailList,
    summary:
      "List agents, each with the time of its latest change; for admins with those not yet published, and with archived=true the deleted ones",
  },
  async ({ services, viewer, query: { archived } }) => {
    if (archived && !hasAdminScope(viewer)) throw new AppError("forbidden", "Only admins see archived agents.");
    const agents = await listAgentInfos(services, viewer, archived ? "archived" : "active");
    const drafts = !archived && hasAdminScope(viewer) ? { drafts: await listUnpublished(services.database) } : {};
    return json({ agents, ...drafts }, { schema: AgentDetailList });
  },
);

export const POST = defineRoute(
  {
    access: "admin",
    body: CreateAgentBody,
    reply: AgentDetail,
    status: 201,
    summary: "Create an agent from a config or YAML; with draft: true one that only admins see until it is published",
  },
  async ({ services, body, viewer }) => {
    const agentId = body.draft ? await addDraftAgent(services, body, viewer) : (body.id ?? "");
    if (!body.draft) await addAgent(services, agentId, { ...configOf(services, body), note: body.note }, viewer);
    return json(await getAgentDetail(services, agentId, viewer), { status: 201, schema: AgentDetail });
  },
);
