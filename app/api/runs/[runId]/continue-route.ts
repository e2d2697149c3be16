import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { SendMessageReply } from "@/lib/schema/threads/thread";
import { ContinueRunBody } from "@/lib/schema/threads/thread-requests";
import { json } from "@/lib/server/http/reply";
import { continueRun } from "@/lib/server/threads/send-message";
import { defineRoute } from "@/lib/server/wiring/route";

/** Resumes an ended run, in one of the two ways. */
export function continueRoute(how: "continue" | "retry", summary: string) {
  return defineRoute(
    {
      idempotency: "own",
      access: "chat",
      params: z.object({ runId: RowId }),
      body: ContinueRunBody,
      reply: SendMessageReply,
      status: 202,
      summary: `${summary}; Idempotency-Key is honoured`,
    },
    async ({ services, params: { runId }, viewer, body, idempotencyKey }) => {
      const started = await continueRun(services, { runId, how }, { sender: viewer, idempotencyKey }, body);
      return json(started, { status: 202, schema: SendMessageReply });
    },
  );
}
