import { CreatedLink, InviteBody } from "@/lib/schema/users/account-link";
import { json } from "@/lib/server/http/reply";
import { invite } from "@/lib/server/users/account-links";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    body: InviteBody,
    reply: CreatedLink,
    status: 201,
    summary: "Invite somebody: a link, shown once, with which they make their own account",
  },
  async ({ body, viewer }) => json(await invite(body, viewer), { status: 201, schema: CreatedLink }),
);
