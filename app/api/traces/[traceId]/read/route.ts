import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { ReadTrace } from "@/lib/schema/traces/read-trace";
import { json } from "@/lib/server/http/reply";
import { readTrace } from "@/lib/server/traces/read/read-trace";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ traceId: RowId }),
    reply: ReadTrace,
    summary: "One trace in reading order: messages, steps, calls, waits and subagents",
  },
  async ({ services, params: { traceId }, viewer }) =>
    json(await readTrace(services, viewer, traceId), { schema: ReadTrace }),
);
