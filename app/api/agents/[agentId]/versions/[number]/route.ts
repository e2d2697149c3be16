import { z } from "zod";
import { AgentVersionDetail } from "@/lib/schema/agent-api";
import { RowId } from "@/lib/schema/page-query";
import { getVersion } from "@/lib/server/agents/list-versions";
import { json } from "@/lib/server/reply";
import { defineRoute } from "@/lib/server/route";

export const GET = defineRoute(
  {
    access: "admin",
    params: z.object({ agentId: RowId, number: z.coerce.number().int().min(1).max(1_000_000_000) }),
    reply: AgentVersionDetail,
    summary: "One published version with its config",
  },
  async ({ params: { agentId, number } }) => json(await getVersion(agentId, number), { schema: AgentVersionDetail }),
);
