import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { QueueRelease, ThreadQueue } from "@/lib/schema/threads/queue";
import { json } from "@/lib/server/http/reply";
import { releaseQueue } from "@/lib/server/threads/thread-queue";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ threadId: RowId }),
    body: QueueRelease,
    reply: ThreadQueue,
    summary: "Send one's own messages that a stop has held, in order; `ids` sends only those",
  },
  async ({ services, params: { threadId }, viewer, body = {} }) =>
    json(await releaseQueue(services.database, threadId, viewer, body), { schema: ThreadQueue }),
);
