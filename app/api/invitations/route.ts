import { InvitationList } from "@/lib/schema/users/account-link";
import { json } from "@/lib/server/http/reply";
import { listInvitations } from "@/lib/server/users/account-links";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", reply: InvitationList, summary: "Open invitations: not used, revoked or expired" },
  async ({ services }) =>
    json({ invitations: await listInvitations(services.database), nextCursor: null }, { schema: InvitationList }),
);
