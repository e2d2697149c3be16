import { z } from "zod";
import { SpanBody } from "@/lib/schema/traces/span-body";
import { json } from "@/lib/server/http/reply";
import { getSpan } from "@/lib/server/traces/get-span";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ traceId: z.string().max(100), spanId: z.string().max(100) }),
    query: z.strictObject({ earlier: z.stringbool().default(false) }),
    summary: "One span in full, with the messages it refers to",
    reply: SpanBody,
  },
  async ({ services, viewer, params, query }) =>
    json(await getSpan(services, viewer, { ...params, withEarlier: query.earlier })),
);
