import { TraceFilters, TraceList } from "@/lib/schema/traces/trace";
import { json } from "@/lib/server/http/reply";
import { listTraces } from "@/lib/server/traces/list-traces";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: TraceFilters,
    summary: "List traces, newest first, or longest first by the time worked or waited for people",
    reply: TraceList,
  },
  async ({ viewer, query }) => json(await listTraces(viewer, query)),
);
