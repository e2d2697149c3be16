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
      "Continue a run of one's own that was stopped, reached a limit or was cut: from its finished steps, with the agent's current version; Idempotency-Key is honoured",
  },
  async ({ params: { runId }, viewer, request }) => {
    const started = await continueRun({ runId, how: "continue" }, viewer, readIdempotencyKey(request));
    return json(started, { status: 202, schema: SendMessageReply });
  },
);
