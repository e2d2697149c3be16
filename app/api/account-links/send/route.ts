import { SentMail } from "@/lib/schema/settings/settings";
import { SendLinkBody } from "@/lib/schema/users/account-link";
import { json } from "@/lib/server/http/reply";
import { sendLink } from "@/lib/server/users/account-links";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    body: SendLinkBody,
    reply: SentMail,
    summary: "Mail an invitation or password link to the address that it is for",
  },
  async ({ services, body, viewer }) => json(await sendLink(services, body, viewer), { schema: SentMail }),
);
