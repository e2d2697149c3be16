import { z } from "zod";
import { TestHttpToolBody, TestHttpToolReply } from "@/lib/schema/tools/http-tool";
import { json } from "@/lib/server/http/reply";
import { testHttpTool } from "@/lib/server/tools/http/manage-http-tools";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ name: z.string().max(64) }),
    body: TestHttpToolBody,
    reply: TestHttpToolReply,
    summary: "Call a registered HTTP tool once, signed as in a run; a failing one is a reply with its error",
  },
  async ({ services, params: { name }, body: { args }, signal }) =>
    json(await testHttpTool(services.database, name, args, signal), { schema: TestHttpToolReply }),
);
