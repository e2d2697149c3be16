import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { HookEndReply, HookReply } from "@/lib/schema/webhooks/webhook";
import { MAX_BODY_BYTES, readBody } from "@/lib/server/http/read-body";
import { json } from "@/lib/server/http/reply";
import { receiveRequest, waitForEnd } from "@/lib/server/triggers/webhooks/receive-request";
import { defineRoute } from "@/lib/server/wiring/route";

const WaitQuery = z.object({
  wait: z.coerce.number().int().min(1).max(300).optional().describe("Seconds to wait for the reply."),
});

export const POST = defineRoute(
  {
    access: "public",
    params: z.object({ hookId: RowId }),
    query: WaitQuery,
    bodyDocument: z.unknown().describe("Any text; JSON for {{/json/pointer}}."),
    reply: HookReply,
    status: 202,
    otherReplies: { 200: HookEndReply },
    summary: "Start the run of a webhook; the request is signed, or has its bearer token",
  },
  async ({ services, params: { hookId }, query: { wait }, request, signal }) => {
    const body = await readBody(request, MAX_BODY_BYTES);
    const { runId } = await receiveRequest(services, hookId, { headers: request.headers, body });
    const ended = wait === undefined ? null : await waitForEnd(services, runId, wait * 1_000, signal);
    if (ended === null) return json({ run_id: runId }, { status: 202, schema: HookReply });
    return json({ run_id: runId, ...ended }, { schema: HookEndReply });
  },
);
