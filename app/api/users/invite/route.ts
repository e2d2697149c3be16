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
    summary: "Invite a user: returns a link, shown once, for creating an account",
  },
  async ({ services, body, viewer }) =>
    json(await invite(services, body, viewer), { status: 201, schema: CreatedLink }),
);
