import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { CreatedLink } from "@/lib/schema/users/account-link";
import { json } from "@/lib/server/http/reply";
import { renewInvitation } from "@/lib/server/users/account-links";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ invitationId: RowId }),
    reply: CreatedLink,
    status: 201,
    summary: "A new link, shown once, for an invitation; the old one stops working",
  },
  async ({ services, params: { invitationId }, viewer }) =>
    json(await renewInvitation(services, invitationId, viewer), { status: 201, schema: CreatedLink }),
);
