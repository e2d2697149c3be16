import { z } from "zod";
import { Trace } from "@/lib/schema/traces/trace";
import { json } from "@/lib/server/http/reply";
import { getTrace } from "@/lib/server/traces/get-trace";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ traceId: z.string().max(100) }),
    summary: "One trace, by its id or its run's, with light spans",
    reply: Trace,
  },
  async ({ services, viewer, params }) => json(await getTrace(services, viewer, params.traceId, "light")),
);
