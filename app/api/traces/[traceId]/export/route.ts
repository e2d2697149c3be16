import { z } from "zod";
import { TraceExport } from "@/lib/schema/traces/span-body";
import { json } from "@/lib/server/http/reply";
import { exportTrace } from "@/lib/server/traces/export-trace";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ traceId: z.string().max(100) }),
    query: z.strictObject({ format: z.enum(["json"]).default("json") }),
    summary: "One trace as a file: every span in full and the messages of its run",
    reply: TraceExport,
  },
  async ({ services, viewer, params }) => {
    const exported = await exportTrace(services, viewer, params.traceId);
    const name = `trace-${exported.trace.id.replace(/[^\w-]/g, "_")}.json`;
    return json(exported, { headers: { "content-disposition": `attachment; filename="${name}"` } });
  },
);
