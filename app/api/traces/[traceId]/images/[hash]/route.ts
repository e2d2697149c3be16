import { z } from "zod";
import { picture } from "@/lib/server/http/reply";
import { getTraceImage } from "@/lib/server/traces/get-span";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ traceId: z.string().max(100), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    produces: "image/*",
    summary: "A picture that a model of the trace was shown, by the hash that its message names",
  },
  async ({ services, viewer, params }) => {
    const { bytes, mediaType } = await getTraceImage(services, viewer, params);
    return picture(bytes, mediaType);
  },
);
