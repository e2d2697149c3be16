import { PushDevice, PushDeviceList, PushSubscriptionBody } from "@/lib/schema/users/notification";
import { json } from "@/lib/server/http/reply";
import { addDevice, listDevices } from "@/lib/server/triggers/notify/push-devices";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", reply: PushDeviceList, summary: "The caller's browsers that take web push" },
  async ({ services, viewer }) =>
    json({ devices: await listDevices(services.database, viewer.id) }, { schema: PushDeviceList }),
);

export const POST = defineRoute(
  {
    access: "chat",
    body: PushSubscriptionBody,
    status: 201,
    reply: PushDevice,
    summary: "Add a browser by its push subscription; the address must be https and public",
  },
  async ({ services, body, viewer }) =>
    json(await addDevice(services.database, body, viewer), { schema: PushDevice, status: 201 }),
);
