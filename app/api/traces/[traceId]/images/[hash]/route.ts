import { z } from "zod";
import { picture } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { getTraceImage } from "@/lib/server/traces/get-span";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ traceId: z.string().max(100), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    produces: "image/*",
    summary: "A picture that a model of the trace was shown, by the hash that its message names",
  },
  async ({ viewer, params }) => {
    const { bytes, mediaType } = await getTraceImage(processServices(), viewer, params);
    return picture(bytes, mediaType);
  },
);
