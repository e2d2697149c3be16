import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { UserSessionList } from "@/lib/schema/users/account-link";
import { json, noContent } from "@/lib/server/http/reply";
import { database } from "@/lib/server/platform/db/database";
import { processServices } from "@/lib/server/platform/services";
import { endSessions, listSessions } from "@/lib/server/users/sessions";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ userId: RowId });

export const GET = defineRoute(
  { access: "admin", params, reply: UserSessionList, summary: "Where a user is signed in" },
  async ({ params: { userId } }) =>
    json({ sessions: await listSessions(database(), userId) }, { schema: UserSessionList }),
);

export const DELETE = defineRoute(
  { access: "admin", params, status: 204, summary: "Sign a user out everywhere" },
  async ({ params: { userId }, viewer }) => {
    await endSessions(processServices(), userId, viewer);
    return noContent();
  },
);
