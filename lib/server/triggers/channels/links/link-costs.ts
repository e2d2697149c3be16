import "server-only";
import type { LinkCost } from "@/lib/schema/channels/channel-link";
import { budgetRows } from "@/lib/server/engine/budgets/budget-rows";
import { accountsOfPerson, periodKey } from "@/lib/server/engine/budgets/caps";
import type { Database } from "@/lib/server/platform/db/database";
import { selectTriggerCosts } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { selectAccounts } from "@/lib/server/platform/db/queries/usage/budgets";
import { startOfPeriod } from "@/lib/server/platform/time/local-day";
import { timeZoneOfUser } from "@/lib/server/platform/time/user-time-zones";
import type { LinkRow } from "@/lib/server/triggers/channels/connection";

const WEEK_MS = 7 * 86_400_000;
/** The shortest period comes first: it is the one that is reached first. */
const PERIODS = ["day", "month", "total"] as const;

interface Frame {
  readonly since: Date;
  readonly ofUsd: number | null;
  readonly period: LinkCost["period"];
}

/**
 * The cost of each link's runs, by link: in the period of its person's own budget, with what that budget allows, or in
 * the last seven days if the person has none.
 */
export async function costsOfLinks(
  database: Database,
  links: readonly Pick<LinkRow, "id" | "userId">[],
  now: Date,
): Promise<Map<string, LinkCost>> {
  const frames = await framesOf(database, new Set(links.map(({ userId }) => userId)), now);
  const frameOf = ({ userId }: { readonly userId: string }): Frame =>
    frames.get(userId) ?? { since: new Date(now.getTime() - WEEK_MS), ofUsd: null, period: "week" };
  const bySince = Map.groupBy(links, (link) => frameOf(link).since.getTime());
  const spent = await Promise.all(
    [...bySince].map(([since, own]) =>
      selectTriggerCosts(
        database,
        own.map(({ id }) => id),
        new Date(since),
      ),
    ),
  );
  const costs = new Map(spent.flatMap((one) => [...one]));
  return new Map(
    links.map((link) => {
      const { ofUsd, period } = frameOf(link);
      return [link.id, { usd: costs.has(link.id) ? (costs.get(link.id) ?? null) : 0, ofUsd, period }];
    }),
  );
}

/** By person: the current period of their own budget, or of that which each person has. */
async function framesOf(database: Database, people: ReadonlySet<string>, now: Date): Promise<Map<string, Frame>> {
  const limiting = (await budgetRows(database)).filter(({ usd }) => usd !== null);
  const forEach = limiting.filter(({ scope }) => scope === "each_user");
  const found = [...people].flatMap((userId) => {
    const own = [...limiting.filter(({ scope, scopeId }) => scope === "user" && scopeId === userId), ...forEach];
    const period = PERIODS.find((one) => own.some((budget) => budget.period === one));
    const budget = own.find((one) => one.period === period);
    if (period === undefined || budget === undefined || budget.usd === null) return [];
    const timeZone = timeZoneOfUser(userId);
    const counter = budget.scope === "each_user" ? accountsOfPerson(budget.id, userId) : budget.id;
    const account = `${counter}:${periodKey(period, { runId: "", threadId: "", now, timeZone })}`;
    const since = period === "total" ? new Date(0) : startOfPeriod(period, now, timeZone);
    return [{ userId, usd: budget.usd, period, account, since }];
  });
  const accounts = await selectAccounts(
    database,
    found.map(({ account }) => account),
  );
  const addedTo = new Map(accounts.map(({ id, addedUsd }) => [id, addedUsd]));
  return new Map(
    found.map(({ userId, usd, period, account, since }) => [
      userId,
      { since, ofUsd: usd + (addedTo.get(account) ?? 0), period },
    ]),
  );
}
