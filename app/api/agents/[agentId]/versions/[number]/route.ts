import { z } from "zod";
import { AgentVersionDetail } from "@/lib/schema/agents/agent-api";
import { RowId, VersionNumber } from "@/lib/schema/page-query";
import { getVersion } from "@/lib/server/agents/versions/list-versions";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "admin",
    params: z.object({ agentId: RowId, number: VersionNumber }),
    reply: AgentVersionDetail,
    summary: "One published version with its config",
  },
  async ({ services, params: { agentId, number } }) =>
    json(await getVersion(services.database, agentId, number), { schema: AgentVersionDetail }),
);
