import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { SendMessageBody, SendMessageReply } from "@/lib/schema/thread";
import { json } from "@/lib/server/reply";
import { defineRoute } from "@/lib/server/route";
import { readIdempotencyKey, sendMessage } from "@/lib/server/threads/send-message";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ threadId: RowId }),
    body: SendMessageBody,
    reply: SendMessageReply,
    status: 202,
    summary: "Send a message: starts or queues a run; Idempotency-Key is honoured",
  },
  async ({ params: { threadId }, viewer, body, request }) =>
    json(await sendMessage(threadId, viewer.id, body, readIdempotencyKey(request)), {
      status: 202,
      schema: SendMessageReply,
    }),
);
