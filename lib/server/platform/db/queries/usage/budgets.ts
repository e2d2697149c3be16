import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlJson, sqlTimestamp } from "@/lib/server/platform/db/dialect";
import type { Tables } from "@/lib/server/platform/db/generated/tables";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatements, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { boundJsonRows, idRows } from "@/lib/server/platform/db/kysely/json-rows";
import { type Changes, insertRow, type NewRow, updateRows } from "@/lib/server/platform/db/kysely/row-statements";
import { withDates } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import type { Draw } from "./budget-calls";

/** The state of an account. */
export interface BudgetAccountRow {
  readonly id: string;
  readonly budgetId: string | null;
  readonly usedUsd: number;
  readonly usedTokens: number;
  readonly reservedUsd: number;
  readonly reservedTokens: number;
  readonly addedUsd: number;
  readonly addedTokens: number;
  readonly reachedCount: number;
  readonly reachedAt: Date | null;
}

const ACCOUNT = [
  ...(["a.id", "a.budgetId", "a.usedUsd", "a.usedTokens", "a.reservedUsd", "a.reservedTokens"] as const),
  ...(["a.addedUsd", "a.addedTokens", "a.reachedCount", "a.reachedAt"] as const),
] as const;

const accountsById = hotStatements((value: PlaceFor<{ ids: string }>, dialect) =>
  build
    .selectFrom("budget_account as a")
    .innerJoin(boundJsonRows(dialect, { id: "text" }, value("ids")).as("h"), "h.id", "a.id")
    .select(ACCOUNT),
);

/** Those of the accounts that exist: an account is created by the first call that draws on it. */
export async function selectAccounts(database: Database, ids: readonly string[]): Promise<BudgetAccountRow[]> {
  const wanted = sqlJson(ids.map((id) => ({ id })));
  return withDates(await database.execute(accountsById(database.dialect, { ids: wanted })), "reachedAt");
}

/** Creates the account even if no call has ever fitted, so that somebody can add to it. */
export async function markReached(
  database: Database,
  { account, budgetId }: Pick<Draw, "account" | "budgetId">,
  now: Date,
): Promise<void> {
  await database.execute(
    build
      .insertInto("budget_account")
      .values({ id: account, budgetId, reachedCount: 1, reachedAt: now, updatedAt: now })
      .onConflict((conflict) =>
        conflict.column("id").doUpdateSet((eb) => ({
          reachedCount: eb("budget_account.reachedCount", "+", 1),
          reachedAt: now,
          updatedAt: now,
        })),
      ),
  );
}

/** Deletes the accounts of periods that nobody has drawn on since then. */
export async function deleteAccountsBefore(database: Database, before: Date): Promise<void> {
  await database.execute(
    build
      .deleteFrom("budget_account")
      .where("updatedAt", "<", sqlTimestamp(before))
      .where("id", "not like", "%:total")
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom("budget_reservation as r")
              .select("r.runId")
              .whereRef("r.accountId", "=", "budget_account.id"),
          ),
        ),
      ),
  );
}

/** A budget as defined by an administrator. */
export interface BudgetRow {
  readonly id: string;
  readonly scope: string;
  readonly scopeId: string | null;
  readonly period: string;
  readonly usd: number | null;
  readonly tokens: number | null;
  readonly onReach: string;
  /** The ids of the group's members; only for a group's budget. */
  readonly members?: ReadonlySet<string>;
}

export async function selectBudgets(database: Database): Promise<BudgetRow[]> {
  const rows: BudgetRow[] = await database.execute(
    build
      .selectFrom("budget")
      .select(["id", "scope", "scopeId", "period", "usd", "tokens", "onReach"])
      .orderBy("createdAt")
      .orderBy("id"),
  );
  if (!rows.some(({ scope }) => scope === "group")) return rows;
  const people = await database.execute(
    build
      .selectFrom("group_member as m")
      .innerJoin("budget as b", "b.scopeId", "m.groupId")
      .select(["m.groupId", "m.userId"])
      .where("b.scope", "=", "group"),
  );
  const membersOf = Map.groupBy(people, ({ groupId }) => groupId);
  return rows.map((row) => {
    if (row.scope !== "group") return row;
    return { ...row, members: new Set(membersOf.get(row.scopeId ?? "")?.map(({ userId }) => userId)) };
  });
}

/** An account of one of the installation's budgets. */
export type PeriodAccount = BudgetAccountRow;

/** The budgets' accounts drawn on since then, and those without a period. */
export async function selectBudgetAccounts(
  database: Database,
  budgetIds: readonly string[],
  since: Date,
): Promise<PeriodAccount[]> {
  if (budgetIds.length === 0) return [];
  const rows = await database.execute(
    build
      .selectFrom("budget_account as a")
      .innerJoin(idRows(database.dialect, budgetIds).as("h"), "h.id", "a.budgetId")
      .select(ACCOUNT)
      .where((eb) =>
        eb.or([
          eb("a.updatedAt", ">=", sqlTimestamp(since)),
          eb("a.id", "like", "%:total"),
          eb("a.id", "like", "%:month:%"),
        ]),
      ),
  );
  return withDates(rows, "reachedAt");
}

interface UsedAccount {
  readonly account: string;
  readonly budgetId: string;
  readonly scope: string;
  readonly scopeId: string | null;
  readonly since: Date;
  readonly now: Date;
}

type RunsOf = (eb: ExpressionBuilder<Tables, "run">, scopeId: string | null) => Expression<SqlBool>;

/** The runs that a budget applies to, by its scope. */
const OF_SCOPE: Readonly<Record<string, RunsOf>> = {
  user: (eb, id) => eb("ownerId", "=", id),
  agent: (eb, id) => eb("agentId", "=", id),
  key: (eb, id) => eb("apiKeyId", "=", id),
  project: (eb, id) => eb("projectId", "=", id),
  group: (eb, id) => eb("ownerId", "in", eb.selectFrom("group_member").select("userId").where("groupId", "=", id)),
};

/** The account of a new budget's current period, with the usage of its root runs so far. */
export function insertUsedAccountStatement(used: UsedAccount): SqlStatement {
  const { account, budgetId, scope, scopeId, since, now } = used;
  const isOfScope = OF_SCOPE[scope] ?? (() => sql.lit(true));
  const usage = build
    .selectFrom("run")
    .select((eb) => [
      sql`cast(${account} as text)`.as("id"),
      sql`cast(${budgetId} as text)`.as("budgetId"),
      eb.fn.coalesce(eb.fn.sum("costUsd"), eb.lit(0)).as("usedUsd"),
      eb.fn.coalesce(eb.fn.sum(eb("inputTokens", "+", eb.ref("outputTokens"))), eb.lit(0)).as("usedTokens"),
      sql`${now}`.as("updatedAt"),
    ])
    .where("depth", "=", sql.lit(0))
    .where("createdAt", ">=", sqlTimestamp(since))
    .where((eb) => isOfScope(eb, scopeId));
  return build
    .insertInto("budget_account")
    .columns(["id", "budgetId", "usedUsd", "usedTokens", "updatedAt"])
    .expression(usage)
    .compile();
}

/** Adds to an account; fails the list of statements if there is none. */
export function raiseAccountStatement(account: string, raise: Changes<"budget_account">): SqlStatement {
  return { ...updateRows("budget_account", { id: account }, raise), mustChange: true };
}

export function insertBudgetStatement(budget: NewRow<"budget">): SqlStatement {
  return insertRow("budget", budget);
}

export function changeBudgetStatement(id: string, columns: Changes<"budget">): SqlStatement {
  return updateRows("budget", { id }, columns);
}

/** Deletes what limits this one board, agent or the like. */
export function deleteBudgetsOfStatement({ scope, scopeId }: Pick<BudgetRow, "scope" | "scopeId">): SqlStatement {
  return build.deleteFrom("budget").where("scope", "=", scope).where("scopeId", "=", scopeId).compile();
}
