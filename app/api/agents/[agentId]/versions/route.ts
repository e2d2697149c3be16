import { z } from "zod";
import { AgentVersionList } from "@/lib/schema/agents/agent-api";
import { RowId } from "@/lib/schema/page-query";
import { listVersions } from "@/lib/server/agents/versions/list-versions";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", params: z.object({ agentId: RowId }), reply: AgentVersionList, summary: "Published versions" },
  async ({ services, params: { agentId } }) =>
    json(await listVersions(services.database, agentId), { schema: AgentVersionList }),
);
