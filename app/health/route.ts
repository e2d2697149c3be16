import { Health } from "@/lib/schema/status";
import { json } from "@/lib/server/http/reply";
import { getHealth } from "@/lib/server/status/get-health";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "public",
    reply: Health,
    otherReplies: { 503: Health },
    summary: "Whether the server works; 503 when its database does not answer, was deleted or is damaged",
  },
  async ({ services }) => {
    const health = await getHealth(services.database);
    return json(health, { status: health.status === "ok" ? 200 : 503, schema: Health });
  },
);
