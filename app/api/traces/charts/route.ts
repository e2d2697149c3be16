import { ChartQuery, TraceCharts } from "@/lib/schema/traces/list/charts";
import { json } from "@/lib/server/http/reply";
import { chartTraces } from "@/lib/server/traces/charts/trace-charts";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: ChartQuery,
    summary: "Count traces by time and status, with working time, tokens and cost, under the filters of the list",
    reply: TraceCharts,
  },
  async ({ services, viewer, query }) => json(await chartTraces(services, viewer, query)),
);
