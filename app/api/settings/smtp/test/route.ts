import { SentMail, TestMailBody } from "@/lib/schema/settings/settings";
import { json } from "@/lib/server/http/reply";
import { sendTestMail } from "@/lib/server/settings/mail";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    body: TestMailBody,
    reply: SentMail,
    summary: "Send a mail by the mail server that is set, or by the one given; says what the server said",
  },
  async ({ body, viewer }) => json(await sendTestMail(body, viewer), { schema: SentMail }),
);
