import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { noContent } from "@/lib/server/http/reply";
import { deleteDelivery } from "@/lib/server/triggers/deliveries";
import { defineRoute } from "@/lib/server/wiring/route";

export const DELETE = defineRoute(
  {
    access: "chat",
    params: z.object({ deliveryId: RowId }),
    status: 204,
    summary: "Delete a delivery with its attempts; one that waits is not sent any more",
  },
  async ({ services, params: { deliveryId }, viewer }) => {
    await deleteDelivery(services.database, deliveryId, viewer);
    return noContent();
  },
);
