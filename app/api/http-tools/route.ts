import { HttpToolList } from "@/lib/schema/tools/http-tool";
import { json } from "@/lib/server/http/reply";
import { listRegisteredTools } from "@/lib/server/tools/manage-http-tools";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", reply: HttpToolList, summary: "The registered HTTP tools, with where they are called" },
  async () => json(await listRegisteredTools(), { schema: HttpToolList }),
);
