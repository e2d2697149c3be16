import { PreflightBody, PreflightReply } from "@/lib/schema/triggers/schedule";
import { preflight } from "@/lib/server/agents/preflight";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    body: PreflightBody,
    reply: PreflightReply,
    summary: "Which calls of a schedule would ask, and when it would be due; nothing is stored",
  },
  async ({ services, body, viewer }) => json(await preflight(services, body, viewer), { schema: PreflightReply }),
);
