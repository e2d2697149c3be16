import { AgentListQuery } from "@/lib/schema/agents/agent-activity";
import { AgentDetail, AgentDetailList, SaveAgentBody } from "@/lib/schema/agents/agent-api";
import { AppError } from "@/lib/schema/app-error";
import { hasAdminScope } from "@/lib/schema/users/user";
import { addAgent, configOf } from "@/lib/server/agents/change-agent";
import { listAgentInfos } from "@/lib/server/agents/describe-agent";
import { getAgentDetail } from "@/lib/server/agents/get-agent-detail";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: AgentListQuery,
    reply: AgentDetailList,
    summary: "List agents, each with the time of its latest change; for admins archived=true lists the deleted ones",
  },
  async ({ viewer, query: { archived } }) => {
    if (archived && !hasAdminScope(viewer)) throw new AppError("forbidden", "Only admins see archived agents.");
    const agents = await listAgentInfos(viewer, archived ? "archived" : "active");
    return json({ agents }, { schema: AgentDetailList });
  },
);

export const POST = defineRoute(
  {
    access: "admin",
    body: SaveAgentBody.required({ id: true }),
    reply: AgentDetail,
    status: 201,
    summary: "Create an agent from a config or YAML",
  },
  async ({ body, viewer }) => {
    await addAgent(body.id, configOf(body), viewer, body.note);
    return json(await getAgentDetail(body.id, viewer), { status: 201, schema: AgentDetail });
  },
);
