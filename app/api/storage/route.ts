import { Storage } from "@/lib/schema/settings/storage";
import { json } from "@/lib/server/http/reply";
import { getStorage } from "@/lib/server/status/storage";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "admin",
    reply: Storage,
    summary: "How much space each kind of data takes, its growth, and what goes next",
  },
  async ({ services }) => json(await getStorage(services), { schema: Storage }),
);
