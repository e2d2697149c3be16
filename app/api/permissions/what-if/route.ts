import { WhatIfQuery, WhatIfReply } from "@/lib/schema/permissions/what-if";
import { json } from "@/lib/server/http/reply";
import { whatIf } from "@/lib/server/traces/what-if/what-if";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "read",
    body: WhatIfQuery,
    reply: WhatIfReply,
    summary: "What other rules, a grant or a budget would have done over the last days, from recorded calls and costs",
  },
  async ({ services, body, viewer }) => json(await whatIf(services, viewer, body), { schema: WhatIfReply }),
);
