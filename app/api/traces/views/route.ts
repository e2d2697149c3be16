import { CreateTraceView, TraceView, TraceViewList } from "@/lib/schema/traces/list/trace-view";
import { json } from "@/lib/server/http/reply";
import { createTraceView, listTraceViews } from "@/lib/server/traces/list/trace-views";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", reply: TraceViewList, summary: "Your views of the list of traces, by name" },
  async ({ services, viewer }) =>
    json({ views: await listTraceViews(services.database, viewer) }, { schema: TraceViewList }),
);

export const POST = defineRoute(
  {
    access: "chat",
    body: CreateTraceView,
    reply: TraceView,
    status: 201,
    summary: "Save a view of the list of traces: the query string of its page under a name",
  },
  async ({ services, viewer, body }) =>
    json(await createTraceView(services.database, viewer, body), { status: 201, schema: TraceView }),
);
