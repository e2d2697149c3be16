import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { noContent } from "@/lib/server/http/reply";
import { removeDevice } from "@/lib/server/triggers/notify/push-devices";
import { defineRoute } from "@/lib/server/wiring/route";

export const DELETE = defineRoute(
  {
    access: "chat",
    params: z.object({ subscriptionId: RowId }),
    status: 204,
    summary: "Send nothing to that browser any more",
  },
  async ({ services, params: { subscriptionId }, viewer }) => {
    await removeDevice(services.database, subscriptionId, viewer);
    return noContent();
  },
);
