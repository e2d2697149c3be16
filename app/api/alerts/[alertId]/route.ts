import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { Alert, UpdateAlert } from "@/lib/schema/traces/alert";
import { json, noContent } from "@/lib/server/http/reply";
import { deleteAlert, updateAlert } from "@/lib/server/traces/alerts/alerts";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ alertId: RowId });

export const PATCH = defineRoute(
  {
    access: "chat",
    params,
    body: UpdateAlert,
    reply: Alert,
    summary: "Change an alert on traces, or pause it with enabled: false",
  },
  async ({ services, viewer, params: { alertId }, body }) =>
    json(await updateAlert(services, viewer, alertId, body), { schema: Alert }),
);

export const DELETE = defineRoute(
  { access: "chat", params, status: 204, summary: "Delete an alert on traces" },
  async ({ services, viewer, params: { alertId } }) => {
    await deleteAlert(services, viewer, alertId);
    return noContent();
  },
);
