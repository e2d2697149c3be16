import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { Budget, UpdateBudgetBody } from "@/lib/schema/usage/budget";
import { json, noContent } from "@/lib/server/http/reply";
import { deleteBudget, getBudget, updateBudget } from "@/lib/server/usage/budgets";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ budgetId: RowId });

export const GET = defineRoute(
  { access: "admin", params, reply: Budget, summary: "One budget, with what it has used and reserved" },
  async ({ services, params: { budgetId } }) => json(await getBudget(services.database, budgetId), { schema: Budget }),
);

export const PATCH = defineRoute(
  {
    access: "admin",
    params,
    body: UpdateBudgetBody,
    reply: Budget,
    summary: "Change a budget; runs that wait try again",
  },
  async ({ services, params: { budgetId }, body, viewer }) =>
    json(await updateBudget(services.database, budgetId, body, viewer), { schema: Budget }),
);

export const DELETE = defineRoute(
  { access: "admin", params, status: 204, summary: "Delete a budget; runs that wait for it go on" },
  async ({ services, params: { budgetId }, viewer }) => {
    await deleteBudget(services.database, budgetId, viewer);
    return noContent();
  },
);
