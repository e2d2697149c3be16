import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { SendMessageReply } from "@/lib/schema/threads/thread";
import { Answerers, RegenerateBody } from "@/lib/schema/threads/thread-requests";
import { json } from "@/lib/server/http/reply";
import { listAnswerers } from "@/lib/server/threads/branches/list-answerers";
import { regenerate } from "@/lib/server/threads/branches/send-branch";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ threadId: RowId, messageId: RowId });

export const GET = defineRoute(
  {
    access: "chat",
    params,
    reply: Answerers,
    summary: "What else could answer a message: models with what they would cost, and for admins the draft",
  },
  async ({ services, params, viewer }) => json(await listAnswerers(services, params, viewer), { schema: Answerers }),
);

export const POST = defineRoute(
  {
    idempotency: "own",
    access: "chat",
    params,
    body: RegenerateBody,
    reply: SendMessageReply,
    status: 202,
    summary: "Answer a message again, as a branch; Idempotency-Key is honoured",
  },
  async ({ services, params, viewer, body, idempotencyKey }) =>
    json(await regenerate(services, params, { sender: viewer, idempotencyKey }, body), {
      status: 202,
      schema: SendMessageReply,
    }),
);
