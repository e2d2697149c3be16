import "server-only";
import { CreateBudgetBody } from "@/lib/schema/usage/budget";
import type { SetUpBody } from "@/lib/schema/users/user";
import type { Services } from "@/lib/server/platform/services";
import { setUp } from "@/lib/server/users/set-up";
import { createBudget } from "./budgets";

/** Creates the first admin, then the budgets that they chose. Throws as `setUp` does. */
export async function setUpInstallation(services: Services, body: SetUpBody): Promise<{ id: string }> {
  const admin = await setUp(services, body);
  const { month_usd: monthUsd, person_day_usd: personDayUsd } = body.budgets;
  const limits = [
    { scope: "installation", period: "month", usd: monthUsd },
    { scope: "each_user", period: "day", usd: personDayUsd },
  ];
  for (const limit of limits) {
    if (limit.usd !== undefined) await createBudget(services.database, CreateBudgetBody.parse(limit), admin);
  }
  return admin;
}
