import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { SendMessageReply } from "@/lib/schema/threads/thread";
import { EditMessageBody } from "@/lib/schema/threads/thread-requests";
import { json } from "@/lib/server/http/reply";
import { editMessage } from "@/lib/server/threads/branches/send-branch";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    idempotency: "own",
    access: "chat",
    params: z.object({ threadId: RowId, messageId: RowId }),
    body: EditMessageBody,
    reply: SendMessageReply,
    status: 202,
    summary: "Send a message again in other words, as a branch; Idempotency-Key is honoured",
  },
  async ({ services, params, viewer, body, idempotencyKey }) =>
    json(await editMessage(services, params, { sender: viewer, idempotencyKey }, body), {
      status: 202,
      schema: SendMessageReply,
    }),
);
