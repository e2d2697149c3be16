import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { CommandReply, SendMessageReply, TranscriptPage } from "@/lib/schema/threads/thread";
import { SendMessageBody, TranscriptQuery } from "@/lib/schema/threads/thread-requests";
import { readAttached } from "@/lib/server/file-access/read-attached";
import { json } from "@/lib/server/http/reply";
import { listMessages } from "@/lib/server/threads/list-messages";
import { runCommand } from "@/lib/server/threads/run-command";
import { sendMessage } from "@/lib/server/threads/send-message";
import { loadCompaction } from "@/lib/server/wiring/load-compaction";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ threadId: RowId });

export const GET = defineRoute(
  {
    access: "read",
    params,
    query: TranscriptQuery,
    reply: TranscriptPage,
    summary: "The messages of a thread, in pages: the newest, or those before a cursor",
  },
  async ({ services, params: { threadId }, viewer, query }) =>
    json(await listMessages(services.database, threadId, viewer, query), { schema: TranscriptPage }),
);

export const POST = defineRoute(
  {
    idempotency: "own",
    access: "chat",
    params,
    body: SendMessageBody,
    reply: SendMessageReply,
    status: 202,
    otherReplies: { 200: CommandReply },
    summary:
      "Send a message: starts or queues a run; Idempotency-Key is honoured. /stop, /stopall and /compact take effect at once (200)",
  },
  async ({ services, params: { threadId }, viewer, body, idempotencyKey }) => {
    const command = await runCommand(services, { threadId, content: body.content }, viewer, loadCompaction);
    if (command) return json(command, { schema: CommandReply });
    const message = { ...body, ...(await readAttached(services, threadId, viewer, body)) };
    const sent = await sendMessage(services, threadId, { sender: viewer, idempotencyKey }, message);
    return json(sent, { status: 202, schema: SendMessageReply });
  },
);
