import { z } from "zod";
import { noContent } from "@/lib/server/http/reply";
import { deleteHttpTool } from "@/lib/server/tools/http/register-http-tool";
import { defineRoute } from "@/lib/server/wiring/route";

export const DELETE = defineRoute(
  { access: "admin", params: z.object({ name: z.string().max(64) }), status: 204, summary: "Remove a registered tool" },
  async ({ services, params, viewer }) => {
    await deleteHttpTool(services, params.name, viewer);
    return noContent();
  },
);
