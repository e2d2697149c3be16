import { GrantList, GrantQuery } from "@/lib/schema/runs/interrupt";
import { json } from "@/lib/server/http/reply";
import { listGrants } from "@/lib/server/inbox/grants";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: GrantQuery,
    reply: GrantList,
    summary:
      "Your unexpired grants: calls that you have allowed for a whole thread, newest first; an administrator's ownerId=everyone, or one person's",
  },
  async ({ services, viewer, query }) =>
    json(await listGrants(services.database, viewer, query), { schema: GrantList }),
);
