import { AgentActivityList } from "@/lib/schema/agents/agent-activity";
import { listActivity } from "@/lib/server/agents/list-activity";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    reply: AgentActivityList,
    summary: "Each agent's runs, failures and cost of 14 days, last use, aliases and draft; your own runs unless admin",
  },
  async ({ services, viewer }) =>
    json({ agents: await listActivity(services.database, viewer, Date.now()) }, { schema: AgentActivityList }),
);
