import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { noContent } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { deleteDelivery } from "@/lib/server/triggers/deliveries";
import { defineRoute } from "@/lib/server/wiring/route";

export const DELETE = defineRoute(
  {
    access: "chat",
    params: z.object({ deliveryId: RowId }),
    status: 204,
    summary: "Delete a delivery with its attempts; one that waits is not sent any more",
  },
  async ({ params: { deliveryId }, viewer }) => {
    await deleteDelivery(processServices(), deliveryId, viewer);
    return noContent();
  },
);
