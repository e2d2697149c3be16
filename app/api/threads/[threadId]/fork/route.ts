import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { ForkThreadBody, ForkThreadReply } from "@/lib/schema/threads/thread-requests";
import { json } from "@/lib/server/http/reply";
import { forkThread } from "@/lib/server/threads/branches/fork-thread";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ threadId: RowId }),
    body: ForkThreadBody,
    reply: ForkThreadReply,
    status: 201,
    summary: "A new thread with everything up to a message of this one",
  },
  async ({ services, params: { threadId }, viewer, body }) =>
    json({ id: await forkThread(services.database, threadId, viewer, body) }, { status: 201, schema: ForkThreadReply }),
);
