import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { noContent } from "@/lib/server/http/reply";
import { revokeGrant } from "@/lib/server/inbox/grants";
import { defineRoute } from "@/lib/server/wiring/route";

export const DELETE = defineRoute(
  {
    access: "chat",
    params: z.object({ grantId: RowId }),
    status: 204,
    summary: "Revoke a grant: the call asks again. Administrators revoke anybody's",
  },
  async ({ services, params: { grantId }, viewer }) => {
    await revokeGrant(services, grantId, viewer);
    return noContent();
  },
);
