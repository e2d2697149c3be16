import { PreflightBody, PreflightReply } from "@/lib/schema/triggers/schedule";
import { preflight } from "@/lib/server/agents/preflight";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    body: PreflightBody,
    reply: PreflightReply,
    summary: "Which calls of a schedule would ask, and when it would be due; nothing is stored",
  },
  async ({ body, viewer }) => json(await preflight(processServices(), body, viewer), { schema: PreflightReply }),
);
