import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { CallPercentileReply } from "@/lib/schema/traces/calls/call-percentile";
import { json } from "@/lib/server/http/reply";
import { findPercentile } from "@/lib/server/traces/calls/find-percentile";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ traceId: RowId, spanId: z.string().max(100) }),
    reply: CallPercentileReply,
    summary: "How long a tool call took beside its agent's other calls of the same tool in 30 days",
  },
  async ({ services, viewer, params }) =>
    json(await findPercentile(services, viewer, params), { schema: CallPercentileReply }),
);
