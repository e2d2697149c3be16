import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { ThreadExport } from "@/lib/schema/threads/thread";
import { download } from "@/lib/server/http/reply";
import { exportThread } from "@/lib/server/threads/export-thread";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ threadId: RowId }),
    query: z.strictObject({ format: z.enum(["json", "md"]).default("json") }),
    reply: ThreadExport,
    produces: "text/markdown",
    summary: "Download a thread as JSON or Markdown",
  },
  async ({ services, params: { threadId }, query: { format }, viewer }) => {
    const { text, contentType, fileName } = await exportThread(services, threadId, viewer, format);
    return download(text, { fileName, contentType });
  },
);
