import { z } from "zod";
import { DelegateList } from "@/lib/schema/agents/agent-info";
import { RowId } from "@/lib/schema/page-query";
import { listDelegates } from "@/lib/server/agents/describe-agent";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ agentId: RowId }),
    reply: DelegateList,
    summary: "The agents that this one may hand a conversation or a task to, of those that the caller can reach",
  },
  async ({ services, params: { agentId }, viewer }) =>
    json({ delegates: await listDelegates(services, agentId, viewer) }, { schema: DelegateList }),
);
