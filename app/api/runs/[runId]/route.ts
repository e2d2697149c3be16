import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { Run } from "@/lib/schema/runs/run";
import { json } from "@/lib/server/http/reply";
import { getRun } from "@/lib/server/views/get-run";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", params: z.object({ runId: RowId }), reply: Run, summary: "One run with its status and usage" },
  async ({ services, params: { runId }, viewer }) =>
    json(await getRun(services.database, runId, viewer), { schema: Run }),
);
