import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { EraseUserBody, Erasure } from "@/lib/schema/users/erasure";
import { json } from "@/lib/server/http/reply";
import { eraseUser } from "@/lib/server/users/erase-user";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ userId: RowId }),
    body: EraseUserBody,
    reply: Erasure,
    summary: "What there is of a user; with `confirm`, the user's email address, it is erased for good",
  },
  async ({ services, params: { userId }, body, viewer }) =>
    json(await eraseUser(services, userId, body, viewer), { schema: Erasure }),
);
