import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { ReplayPlan, ReplayPlanQuery } from "@/lib/schema/traces/replay";
import { json } from "@/lib/server/http/reply";
import { planReplay } from "@/lib/server/traces/replay/plan-replay";
import { defineRoute } from "@/lib/server/wiring/route";
import { describeRunParts } from "@/lib/server/wiring/run-parts/run-parts";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ runId: RowId }),
    query: ReplayPlanQuery,
    reply: ReplayPlan,
    summary: "What a replay of a run would begin with, what stands in its way, and its replays so far",
  },
  async ({ services, params: { runId }, query: { step }, viewer }) =>
    json(await planReplay(services, viewer, { id: runId, step }, describeRunParts), { schema: ReplayPlan }),
);
