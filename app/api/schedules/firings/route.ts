import { FiringLog, FiringLogQuery } from "@/lib/schema/triggers/firing";
import { json } from "@/lib/server/http/reply";
import { firingLog } from "@/lib/server/triggers/schedules/manage-schedules";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: FiringLogQuery,
    reply: FiringLog,
    summary: "What became of each due time of all one's schedules (administrators: everybody's), newest first",
  },
  async ({ services, query, viewer }) => json(await firingLog(services.database, query, viewer), { schema: FiringLog }),
);
