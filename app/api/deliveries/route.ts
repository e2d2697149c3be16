import { DeliveryList, DeliveryQuery } from "@/lib/schema/triggers/delivery";
import { json } from "@/lib/server/http/reply";
import { listDeliveries } from "@/lib/server/triggers/deliveries";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: DeliveryQuery,
    reply: DeliveryList,
    summary: "What the caller's runs have sent, or are to send; everybody's for administrators",
  },
  async ({ services, query, viewer }) =>
    json(await listDeliveries(services.database, query, viewer), { schema: DeliveryList }),
);
