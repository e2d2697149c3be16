import { z } from "zod";
import { AgentTraceDetail } from "@/lib/schema/traces/agent-trace";
import { json } from "@/lib/server/http/reply";
import { getTrace } from "@/lib/server/traces/get-trace";
import { toAgentTraceDetail } from "@/lib/server/traces/to-agent-trace";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ id: z.string().max(100) }),
    summary: "One trace with its spans",
    reply: AgentTraceDetail,
  },
  async ({ services, viewer, params }) =>
    json(await toAgentTraceDetail(services.database, await getTrace(services, viewer, params.id, "full")), {
      schema: AgentTraceDetail,
    }),
);
