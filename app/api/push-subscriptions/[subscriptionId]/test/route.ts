import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { PushTest } from "@/lib/schema/users/notification";
import { json } from "@/lib/server/http/reply";
import { testDevice } from "@/lib/server/triggers/notify/push-devices";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ subscriptionId: RowId }),
    reply: PushTest,
    summary: "Send a test to that browser now, and say what its push service answered",
  },
  async ({ services, params: { subscriptionId }, viewer }) =>
    json(await testDevice(services.database, subscriptionId, viewer), { schema: PushTest }),
);
