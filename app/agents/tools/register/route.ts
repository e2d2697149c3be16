import { RegisteredTool, RegisterToolBody } from "@/lib/schema/tools/http-tool";
import { json } from "@/lib/server/http/reply";
import { registerHttpTool } from "@/lib/server/tools/http/register-http-tool";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    body: RegisterToolBody,
    reply: RegisteredTool,
    status: 201,
    otherReplies: { 200: RegisteredTool },
    summary: "Register an HTTP callback as a tool; an existing one is replaced (200)",
  },
  async ({ services, body, viewer }) => {
    const { tool, isNew } = await registerHttpTool(services, body, viewer);
    return json(tool, { status: isNew ? 201 : 200, schema: RegisteredTool });
  },
);
