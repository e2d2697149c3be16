import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { RunState, RunStateQuery } from "@/lib/schema/traces/run-state";
import { json } from "@/lib/server/http/reply";
import { getRunState } from "@/lib/server/traces/state/run-state";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ runId: RowId }),
    query: RunStateQuery,
    reply: RunState,
    summary: "Files, memory, plan, summary, tools and rules in which one step of a run began",
  },
  async ({ services, params: { runId }, query: { step }, viewer }) =>
    json(await getRunState(services, viewer, runId, step), { schema: RunState }),
);
