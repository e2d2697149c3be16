import { LinkSummary, LookBody } from "@/lib/schema/users/account-link";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { lookAtLink } from "@/lib/server/users/account-links";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  { access: "public", body: LookBody, reply: LinkSummary, summary: "What an invitation or a password link is for" },
  async ({ body, request }) =>
    json(await lookAtLink(processServices(), body.token, request.headers), { schema: LinkSummary }),
);
