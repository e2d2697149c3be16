import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { UserSessionList } from "@/lib/schema/users/account-link";
import { json, noContent } from "@/lib/server/http/reply";
import { endSessions, listSessions } from "@/lib/server/users/sessions";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ userId: RowId });

export const GET = defineRoute(
  { access: "admin", params, reply: UserSessionList, summary: "Where a user is signed in" },
  async ({ services, params: { userId } }) =>
    json({ sessions: await listSessions(services.database, userId) }, { schema: UserSessionList }),
);

export const DELETE = defineRoute(
  { access: "admin", params, status: 204, summary: "Sign a user out everywhere" },
  async ({ services, params: { userId }, viewer }) => {
    await endSessions(services, userId, viewer);
    return noContent();
  },
);
