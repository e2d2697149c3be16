import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { noContent } from "@/lib/server/http/reply";
import { endSession } from "@/lib/server/users/sessions";
import { defineRoute } from "@/lib/server/wiring/route";

export const DELETE = defineRoute(
  {
    access: "admin",
    params: z.object({ userId: RowId, sessionId: RowId }),
    status: 204,
    summary: "Sign a user out in one browser",
  },
  async ({ services, params: { userId, sessionId }, viewer }) => {
    await endSession(services, userId, sessionId, viewer);
    return noContent();
  },
);
