import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { TraceView, UpdateTraceView } from "@/lib/schema/traces/list/trace-view";
import { json, noContent } from "@/lib/server/http/reply";
import { deleteTraceView, updateTraceView } from "@/lib/server/traces/list/trace-views";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ viewId: RowId });

export const PATCH = defineRoute(
  {
    access: "chat",
    params,
    body: UpdateTraceView,
    reply: TraceView,
    summary: "Rename a view of the list of traces, or change what it shows",
  },
  async ({ services, viewer, params: { viewId }, body }) =>
    json(await updateTraceView(services.database, viewer, viewId, body), { schema: TraceView }),
);

export const DELETE = defineRoute(
  { access: "chat", params, status: 204, summary: "Delete a view of the list of traces" },
  async ({ services, viewer, params: { viewId } }) => {
    await deleteTraceView(services.database, viewer, viewId);
    return noContent();
  },
);
