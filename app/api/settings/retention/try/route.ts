import { TriedRetention, TryRetentionBody } from "@/lib/schema/settings/settings";
import { json } from "@/lib/server/http/reply";
import { tryRetention } from "@/lib/server/settings/retention";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    body: TryRetentionBody,
    reply: TriedRetention,
    summary: "How much would be deleted next, as things are and with other times",
  },
  async ({ services, body }) => json(await tryRetention(services.database, body), { schema: TriedRetention }),
);
