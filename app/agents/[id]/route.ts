import { z } from "zod";
import { RawConfig } from "@/lib/schema/agents/agent-api";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AgentInfo } from "@/lib/schema/agents/agent-info";
import { VersionQuery } from "@/lib/schema/agents/agent-version";
import { RowId } from "@/lib/schema/page-query";
import { deleteAgent, patchAgent } from "@/lib/server/agents/change-agent";
import { getAgentInfo } from "@/lib/server/agents/describe-agent";
import { json, noContent } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ id: RowId });

export const GET = defineRoute(
  {
    access: "read",
    params,
    query: VersionQuery,
    reply: AgentInfo,
    summary: "One agent; ?version= takes a number or an alias",
  },
  async ({ services, params: { id }, query, viewer }) =>
    json(await getAgentInfo(services, id, viewer, query.version), { schema: AgentInfo }),
);

export const PATCH = defineRoute(
  {
    access: "admin",
    params,
    body: RawConfig,
    bodyDocument: AgentConfig.partial(),
    reply: AgentInfo,
    summary: "Replace config fields, each as a whole, and publish a new version",
  },
  async ({ services, params: { id }, body, viewer }) => {
    await patchAgent(services, id, body, viewer);
    return json(await getAgentInfo(services, id, viewer), { schema: AgentInfo });
  },
);

export const DELETE = defineRoute(
  { access: "admin", params, status: 204, summary: "Delete an agent; its threads and traces stay readable" },
  async ({ services, params: { id }, viewer }) => {
    await deleteAgent(services, id, viewer);
    return noContent();
  },
);
