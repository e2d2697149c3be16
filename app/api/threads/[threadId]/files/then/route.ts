import { z } from "zod";
import { FilesThen, FilesThenQuery } from "@/lib/schema/files/workspace-file";
import { RowId } from "@/lib/schema/page-query";
import { listFilesThen } from "@/lib/server/file-access/files-then";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ threadId: RowId }),
    query: FilesThenQuery,
    reply: FilesThen,
    summary: "The files of the thread as they were when a message had been answered",
  },
  async ({ services, params: { threadId }, query, viewer }) =>
    json(await listFilesThen(services, threadId, query.message, viewer), { schema: FilesThen }),
);
