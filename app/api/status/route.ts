import { Status } from "@/lib/schema/status";
import { getStatus } from "@/lib/server/get-health";
import { json } from "@/lib/server/reply";
import { defineRoute } from "@/lib/server/route";

export const GET = defineRoute(
  { access: "read", reply: Status, summary: "Version, database, sandbox and providers of this installation" },
  async () => json(await getStatus(), { schema: Status }),
);
