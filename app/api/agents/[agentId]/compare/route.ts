import { z } from "zod";
import { CompareQuery, VersionComparison } from "@/lib/schema/agents/agent-version";
import { RowId } from "@/lib/schema/page-query";
import { compareVersions } from "@/lib/server/agents/versions/compare-versions";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "admin",
    params: z.object({ agentId: RowId }),
    query: CompareQuery,
    reply: VersionComparison,
    summary: "What differs between two versions, each a number, an alias, current or draft",
  },
  async ({ services, params: { agentId }, query, viewer }) =>
    json(await compareVersions(services, agentId, query, viewer), { schema: VersionComparison }),
);
