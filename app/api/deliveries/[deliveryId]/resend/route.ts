import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { Delivery } from "@/lib/schema/triggers/delivery";
import { json } from "@/lib/server/http/reply";
import { resendDelivery } from "@/lib/server/triggers/deliveries";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ deliveryId: RowId }),
    reply: Delivery,
    summary: "Send a delivery once more, with the same key",
  },
  async ({ services, params: { deliveryId }, viewer }) =>
    json(await resendDelivery(services.database, deliveryId, viewer), { schema: Delivery }),
);
