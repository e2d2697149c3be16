import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { ThreadTodos } from "@/lib/schema/threads/thread";
import { json } from "@/lib/server/http/reply";
import { listTodos } from "@/lib/server/threads/get-thread";
import { requireOwnThread } from "@/lib/server/threads/thread-row";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", params: z.object({ threadId: RowId }), reply: ThreadTodos, summary: "The plan of a thread" },
  async ({ params: { threadId }, viewer }) => {
    await requireOwnThread(threadId, viewer.id);
    return json({ todos: await listTodos(threadId, viewer.id) }, { schema: ThreadTodos });
  },
);
