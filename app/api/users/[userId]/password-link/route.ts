import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { CreatedLink } from "@/lib/schema/users/account-link";
import { json } from "@/lib/server/http/reply";
import { makePasswordLink } from "@/lib/server/users/account-links";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ userId: RowId }),
    reply: CreatedLink,
    status: 201,
    summary: "A link, shown once, with which a user chooses a new password",
  },
  async ({ services, params: { userId }, viewer }) =>
    json(await makePasswordLink(services, userId, viewer), { status: 201, schema: CreatedLink }),
);
