import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { ThreadDetail, ThreadSummary } from "@/lib/schema/threads/thread";
import { ThreadDetailQuery, UpdateThreadBody } from "@/lib/schema/threads/thread-requests";
import { json, noContent } from "@/lib/server/http/reply";
import { deleteThread, updateThread } from "@/lib/server/threads/change-thread";
import { getThread } from "@/lib/server/threads/get-thread";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ threadId: RowId });

export const GET = defineRoute(
  {
    access: "read",
    params,
    query: ThreadDetailQuery,
    reply: ThreadDetail,
    summary: "One thread with its newest messages, or all from position `from` on, its open runs and todos",
  },
  async ({ services, params: { threadId }, viewer, query: { from } }) => {
    const window = from === undefined ? undefined : { from: Number(from) };
    return json(await getThread(services, threadId, viewer, { window }), { schema: ThreadDetail });
  },
);

export const PATCH = defineRoute(
  {
    access: "chat",
    params,
    body: UpdateThreadBody,
    reply: ThreadSummary,
    summary:
      "Rename, pin or archive a thread; projectId moves it into a project or with null out of it; activeAgentId takes it back after a handoff",
  },
  async ({ services, params: { threadId }, viewer, body }) =>
    json(await updateThread(services, threadId, viewer, body), { schema: ThreadSummary }),
);

export const DELETE = defineRoute(
  { access: "chat", params, status: 204, summary: "Delete a thread; POST /restore undoes it" },
  async ({ services, params: { threadId }, viewer }) => {
    await deleteThread(services, threadId, viewer);
    return noContent();
  },
);
