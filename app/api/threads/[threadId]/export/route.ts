import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { download } from "@/lib/server/reply";
import { defineRoute } from "@/lib/server/route";
import { exportThread } from "@/lib/server/threads/export-thread";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ threadId: RowId }),
    query: z.strictObject({ format: z.enum(["json", "md"]).default("json") }),
    produces: "application/octet-stream",
    summary: "Download a thread as JSON or Markdown",
  },
  async ({ params: { threadId }, query: { format }, viewer }) => {
    const { text, contentType, fileName } = await exportThread(threadId, viewer.id, format);
    return download(text, { fileName, contentType });
  },
);
