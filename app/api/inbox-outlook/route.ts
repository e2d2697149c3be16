import { InboxOutlook } from "@/lib/schema/inbox/inbox-outlook";
import { json } from "@/lib/server/http/reply";
import { inboxOutlook } from "@/lib/server/inbox/inbox-outlook";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    reply: InboxOutlook,
    summary: "How many of your threads run now, and your schedule that is due next",
  },
  async ({ services, viewer }) => json(await inboxOutlook(services.database, viewer), { schema: InboxOutlook }),
);
