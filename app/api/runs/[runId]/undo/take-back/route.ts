import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { UndoneRun } from "@/lib/schema/traces/undo";
import { json } from "@/lib/server/http/reply";
import { takeBackUndo } from "@/lib/server/traces/undo/undo-run";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ runId: RowId }),
    reply: UndoneRun,
    summary: "Takes back that a run was undone, while nothing that it touched has changed since",
  },
  async ({ services, params: { runId }, viewer }) =>
    json(await takeBackUndo(services, runId, viewer), { schema: UndoneRun }),
);
