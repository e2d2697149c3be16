import { HttpToolList } from "@/lib/schema/tools/http-tool";
import { CreateRequestToolBody, RequestTool } from "@/lib/schema/tools/request-tool";
import { json } from "@/lib/server/http/reply";
import { listRegisteredTools } from "@/lib/server/tools/http/manage-http-tools";
import { createRequestTool } from "@/lib/server/tools/http/save-request-tool";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", reply: HttpToolList, summary: "The HTTP tools: callbacks, and requests to any service" },
  async ({ services }) => json(await listRegisteredTools(services.database), { schema: HttpToolList }),
);

export const POST = defineRoute(
  {
    access: "admin",
    body: CreateRequestToolBody,
    reply: RequestTool,
    status: 201,
    summary: "Create a tool that makes one request to any service; its texts name arguments as {argument}",
  },
  async ({ services, body, viewer }) =>
    json(await createRequestTool(services, body, viewer), { status: 201, schema: RequestTool }),
);
