import { Health } from "@/lib/schema/status";
import { getHealth } from "@/lib/server/get-health";
import { json } from "@/lib/server/reply";
import { defineRoute } from "@/lib/server/route";

export const GET = defineRoute(
  {
    access: "public",
    reply: Health,
    otherReplies: { 503: Health },
    summary: "Whether the server works; 503 when its database does not answer",
  },
  async () => {
    const health = await getHealth();
    return json(health, { status: health.status === "ok" ? 200 : 503, schema: Health });
  },
);
