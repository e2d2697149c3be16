import { z } from "zod";
import { RequestTool, UpdateRequestToolBody } from "@/lib/schema/tools/request-tool";
import { json, noContent } from "@/lib/server/http/reply";
import { deleteHttpTool } from "@/lib/server/tools/http/register-http-tool";
import { updateRequestTool } from "@/lib/server/tools/http/save-request-tool";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ name: z.string().max(64) });

export const PATCH = defineRoute(
  {
    access: "admin",
    params,
    body: UpdateRequestToolBody,
    reply: RequestTool,
    summary: "Change a tool that makes a request; omitted fields keep their values",
  },
  async ({ services, params: { name }, body, viewer }) =>
    json(await updateRequestTool(services, name, body, viewer), { schema: RequestTool }),
);

export const DELETE = defineRoute(
  { access: "admin", params, status: 204, summary: "Delete an HTTP tool; agents that name it run without it" },
  async ({ services, params: { name }, viewer }) => {
    await deleteHttpTool(services, name, viewer);
    return noContent();
  },
);
