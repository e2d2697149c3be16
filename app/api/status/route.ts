import { Status } from "@/lib/schema/status";
import { json } from "@/lib/server/http/reply";
import { getStatus } from "@/lib/server/status/get-health";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", reply: Status, summary: "Version, database, sandbox and providers of this installation" },
  async ({ services }) => json(await getStatus(services), { schema: Status }),
);
