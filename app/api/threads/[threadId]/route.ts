import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { ThreadDetail, ThreadSummary, UpdateThreadBody } from "@/lib/schema/thread";
import { json, noContent } from "@/lib/server/reply";
import { defineRoute } from "@/lib/server/route";
import { deleteThread, updateThread } from "@/lib/server/threads/change-thread";
import { getThread } from "@/lib/server/threads/get-thread";

const params = z.object({ threadId: RowId });

export const GET = defineRoute(
  { access: "read", params, reply: ThreadDetail, summary: "One thread with its transcript, open runs and todos" },
  async ({ params: { threadId }, viewer }) => json(await getThread(threadId, viewer.id), { schema: ThreadDetail }),
);

export const PATCH = defineRoute(
  { access: "chat", params, body: UpdateThreadBody, reply: ThreadSummary, summary: "Rename, pin or archive a thread" },
  async ({ params: { threadId }, viewer, body }) =>
    json(await updateThread(threadId, viewer.id, body), { schema: ThreadSummary }),
);

export const DELETE = defineRoute(
  { access: "chat", params, status: 204, summary: "Delete a thread; POST /restore undoes it" },
  async ({ params: { threadId }, viewer }) => {
    await deleteThread(threadId, viewer.id);
    return noContent();
  },
);
