import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { DeliveryAttempts } from "@/lib/schema/triggers/delivery";
import { json } from "@/lib/server/http/reply";
import { listAttempts } from "@/lib/server/triggers/deliveries";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "admin",
    params: z.object({ deliveryId: RowId }),
    reply: DeliveryAttempts,
    summary: "The requests of a delivery to a webhook, and what came back",
  },
  async ({ services, params: { deliveryId } }) =>
    json(await listAttempts(services.database, deliveryId), { schema: DeliveryAttempts }),
);
