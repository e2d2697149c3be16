import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { RunBudgetList } from "@/lib/schema/usage/budget";
import { json } from "@/lib/server/http/reply";
import { listRunBudgets } from "@/lib/server/usage/run-budgets";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ runId: RowId }),
    reply: RunBudgetList,
    summary: "What limits a run: used, reserved and cap of each of its budgets",
  },
  async ({ services, params: { runId }, viewer }) =>
    json(await listRunBudgets(services.database, runId, viewer), { schema: RunBudgetList }),
);
