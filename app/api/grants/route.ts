import { GrantList } from "@/lib/schema/interrupt";
import { listGrants } from "@/lib/server/approvals/grants";
import { json } from "@/lib/server/reply";
import { defineRoute } from "@/lib/server/route";

export const GET = defineRoute(
  { access: "read", reply: GrantList, summary: "Calls that you have allowed for a whole thread and that still hold" },
  async ({ viewer }) => json(await listGrants(viewer.id), { schema: GrantList }),
);
