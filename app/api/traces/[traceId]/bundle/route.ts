import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { download } from "@/lib/server/http/reply";
import { bundlePage } from "@/lib/server/traces/bundle/bundle-page";
import { maskSpan } from "@/lib/server/traces/mask-trace";
import { readWithSpans } from "@/lib/server/traces/read/read-trace";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ traceId: RowId }),
    produces: "text/html",
    summary: "One trace as an HTML file that opens without a server: its text, its spans as tree and waterfall",
  },
  async ({ services, params: { traceId }, viewer }) => {
    const { trace, read } = await readWithSpans(services, viewer, traceId);
    const page = bundlePage({ ...trace, spans: trace.spans.map(maskSpan) }, read, new Date().toISOString());
    const fileName = `trace-${trace.id.replace(/[^\w-]/g, "_")}.html`;
    return download(page, { fileName, contentType: "text/html; charset=utf-8" });
  },
);
