import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { LastRequest } from "@/lib/schema/threads/thread-context";
import { json } from "@/lib/server/http/reply";
import { getLastRequest } from "@/lib/server/traces/sent/get-last-request";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ threadId: RowId }),
    reply: LastRequest,
    summary: "What a thread's last model call sent, for whom may read the agent's prompt",
  },
  async ({ services, params: { threadId }, viewer }) =>
    json(await getLastRequest(services.database, threadId, viewer), { schema: LastRequest }),
);
