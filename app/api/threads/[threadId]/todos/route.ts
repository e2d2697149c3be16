import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { ThreadTodos } from "@/lib/schema/threads/thread";
import { loadTodos } from "@/lib/server/engine/transcript/load-todos";
import { json } from "@/lib/server/http/reply";
import { requireReadableThread } from "@/lib/server/threads/thread-row";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", params: z.object({ threadId: RowId }), reply: ThreadTodos, summary: "The plan of a thread" },
  async ({ services, params: { threadId }, viewer }) => {
    await requireReadableThread(services.database, threadId, viewer);
    return json({ todos: await loadTodos(services.database, { threadId }) }, { schema: ThreadTodos });
  },
);
