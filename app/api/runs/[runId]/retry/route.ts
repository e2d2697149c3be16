import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { SendMessageReply } from "@/lib/schema/threads/thread";
import { json } from "@/lib/server/http/reply";
import { continueRun, readIdempotencyKey } from "@/lib/server/threads/send-message";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ runId: RowId }),
    reply: SendMessageReply,
    status: 202,
    summary:
      "Retry a run of one's own that failed, was stopped or gave no answer: its failed step again, as it was sent, with the version of that run; Idempotency-Key is honoured",
  },
  async ({ params: { runId }, viewer, request }) => {
    const started = await continueRun({ runId, how: "retry" }, viewer, readIdempotencyKey(request));
    return json(started, { status: 202, schema: SendMessageReply });
  },
);
