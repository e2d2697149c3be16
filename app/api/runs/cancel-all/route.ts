import { z } from "zod";
import { CancelReply } from "@/lib/schema/threads/thread";
import { json } from "@/lib/server/http/reply";
import { cancelAllRuns } from "@/lib/server/threads/cancel-viewers-runs";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    query: z.strictObject({ everybody: z.stringbool().default(false) }),
    reply: CancelReply,
    summary:
      "Stop all runs of the caller; ?everybody=true stops everybody's (admin). From a session, queued messages are held",
  },
  async ({ services, viewer, query: { everybody } }) =>
    json(await cancelAllRuns(services.database, viewer, everybody ? "everybody's" : "own"), { schema: CancelReply }),
);
