import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { noContent } from "@/lib/server/http/reply";
import { removeScore } from "@/lib/server/traces/scores/scores";
import { defineRoute } from "@/lib/server/wiring/route";

export const DELETE = defineRoute(
  {
    access: "chat",
    params: z.object({ scoreId: RowId }),
    status: 204,
    summary: "Take your thumb back",
  },
  async ({ services, viewer, params: { scoreId } }) => {
    await removeScore(services.database, viewer, scoreId);
    return noContent();
  },
);
