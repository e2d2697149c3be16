import { DeliveryList, DeliveryQuery } from "@/lib/schema/triggers/delivery";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { listDeliveries } from "@/lib/server/triggers/deliveries";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: DeliveryQuery,
    reply: DeliveryList,
    summary: "What the caller's runs have sent, or are to send; everybody's for administrators",
  },
  async ({ query, viewer }) => json(await listDeliveries(processServices(), query, viewer), { schema: DeliveryList }),
);
