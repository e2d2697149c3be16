import { Budget, BudgetList, CreateBudgetBody } from "@/lib/schema/usage/budget";
import { json } from "@/lib/server/http/reply";
import { createBudget, listBudgets } from "@/lib/server/usage/budgets";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", reply: BudgetList, summary: "Every budget, with what it has used and reserved" },
  async ({ services }) => json(await listBudgets(services.database), { schema: BudgetList }),
);

export const POST = defineRoute(
  { access: "admin", body: CreateBudgetBody, reply: Budget, status: 201, summary: "Create a spending limit" },
  async ({ services, body, viewer }) =>
    json(await createBudget(services.database, body, viewer), { status: 201, schema: Budget }),
);
