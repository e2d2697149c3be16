import { Status } from "@/lib/schema/status";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { getStatus } from "@/lib/server/status/get-health";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", reply: Status, summary: "Version, database, sandbox and providers of this installation" },
  async () => json(await getStatus(processServices()), { schema: Status }),
);
