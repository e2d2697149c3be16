import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { ReplayPlan } from "@/lib/schema/traces/replay";
import { json } from "@/lib/server/http/reply";
import { planReplay } from "@/lib/server/traces/replay/plan-replay";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ runId: RowId }),
    reply: ReplayPlan,
    summary: "What a replay of a run would begin with, what stands in its way, and its replays so far",
  },
  async ({ params: { runId }, viewer }) => json(await planReplay(viewer, runId), { schema: ReplayPlan }),
);
