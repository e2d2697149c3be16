import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { TraceDigest } from "@/lib/schema/traces/digest";
import { json } from "@/lib/server/http/reply";
import { explainTrace } from "@/lib/server/traces/explain/explain-trace";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ traceId: RowId }),
    reply: TraceDigest,
    summary: "What failed, waited, took longest and cost most in a trace, and how it differs from the version before",
  },
  async ({ services, params: { traceId }, viewer }) =>
    json(await explainTrace(services, viewer, traceId), { schema: TraceDigest }),
);
