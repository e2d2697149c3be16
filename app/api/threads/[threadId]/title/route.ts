import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { ThreadTitle } from "@/lib/schema/threads/thread";
import { json } from "@/lib/server/http/reply";
import { titleThread } from "@/lib/server/threads/title-thread";
import { loadTitles } from "@/lib/server/wiring/load-titles";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ threadId: RowId }),
    reply: ThreadTitle,
    summary: "After the first turn, let the model that answered name a thread that has no name of its own",
  },
  async ({ services, params: { threadId }, viewer }) =>
    json(await titleThread(services, threadId, viewer, loadTitles), { schema: ThreadTitle }),
);
