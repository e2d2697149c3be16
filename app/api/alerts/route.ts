import { Alert, AlertList, CreateAlert } from "@/lib/schema/traces/alert";
import { json } from "@/lib/server/http/reply";
import { createAlert, listAlerts } from "@/lib/server/traces/alerts/alerts";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", reply: AlertList, summary: "Your alerts on traces, by name, with what they last measured" },
  async ({ services, viewer }) => json({ alerts: await listAlerts(services.database, viewer) }, { schema: AlertList }),
);

export const POST = defineRoute(
  {
    access: "chat",
    body: CreateAlert,
    reply: Alert,
    status: 201,
    summary: "Be told when a figure of the runs under the list's filters is over a threshold",
  },
  async ({ services, viewer, body }) => json(await createAlert(services, viewer, body), { status: 201, schema: Alert }),
);
