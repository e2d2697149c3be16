import { TraceFilters, TraceList } from "@/lib/schema/traces/trace";
import { json } from "@/lib/server/http/reply";
import { listTraces } from "@/lib/server/traces/list/list-traces";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: TraceFilters,
    summary: "List traces, newest first or in the order of `sort`, under any filters",
    reply: TraceList,
  },
  async ({ services, viewer, query }) => json(await listTraces(services, viewer, query)),
);
