import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { download } from "@/lib/server/http/reply";
import { readTrace } from "@/lib/server/traces/read/read-trace";
import { toMarkdown } from "@/lib/server/traces/read/to-markdown";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ traceId: RowId }),
    produces: "text/markdown",
    summary: "One trace in reading order, as Markdown",
  },
  async ({ services, params: { traceId }, viewer }) => {
    const fileName = `trace-${traceId.replace(/[^\w-]/g, "_")}.md`;
    const text = toMarkdown(await readTrace(services, viewer, traceId));
    return download(text, { fileName, contentType: "text/markdown; charset=utf-8" });
  },
);
