import { LinkSummary, LookBody } from "@/lib/schema/users/account-link";
import { json } from "@/lib/server/http/reply";
import { lookAtLink } from "@/lib/server/users/account-links";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  { access: "public", body: LookBody, reply: LinkSummary, summary: "What an invitation or a password link is for" },
  async ({ services, body, request }) =>
    json(await lookAtLink(services, body.token, request.headers), { schema: LinkSummary }),
);
