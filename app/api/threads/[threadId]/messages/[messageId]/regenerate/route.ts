import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { RegenerateBody, SendMessageReply } from "@/lib/schema/threads/thread";
import { json } from "@/lib/server/http/reply";
import { regenerate } from "@/lib/server/threads/branches/send-branch";
import { readIdempotencyKey } from "@/lib/server/threads/send-message";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ threadId: RowId, messageId: RowId }),
    body: RegenerateBody,
    reply: SendMessageReply,
    status: 202,
    summary: "Answer a message again, as a branch; Idempotency-Key is honoured",
  },
  async ({ params, viewer, body, request }) =>
    json(await regenerate(params, viewer, body, readIdempotencyKey(request)), {
      status: 202,
      schema: SendMessageReply,
    }),
);
