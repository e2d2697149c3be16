import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { noContent } from "@/lib/server/http/reply";
import { revokeInvitation } from "@/lib/server/users/account-links";
import { defineRoute } from "@/lib/server/wiring/route";

export const DELETE = defineRoute(
  {
    access: "admin",
    params: z.object({ invitationId: RowId }),
    status: 204,
    summary: "Revoke an invitation; its link stops working",
  },
  async ({ services, params: { invitationId }, viewer }) => {
    await revokeInvitation(services, invitationId, viewer);
    return noContent();
  },
);
