import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { BudgetAsk, BudgetPeriod, type BudgetScope } from "@/lib/schema/runs/budget-ask";
import { roundedUsd } from "@/lib/schema/runs/usage";
import {
  Budget,
  type BudgetList,
  type CreateBudgetBody,
  namesOne,
  type UpdateBudgetBody,
} from "@/lib/schema/usage/budget";
import type { Viewer } from "@/lib/schema/users/user";
import { resumeRunsOfBudget } from "@/lib/server/engine/asks/resume-budget-asks";
import { budgetsChanged } from "@/lib/server/engine/budgets/budget-rows";
import { accountsOfPerson, periodKey, zoneOfBudget } from "@/lib/server/engine/budgets/caps";
import { auditColumns, changedFields } from "@/lib/server/platform/audit-columns";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import {
  insertUsedAccountStatement,
  type PeriodAccount,
  selectBudgetAccounts,
} from "@/lib/server/platform/db/queries/usage/budgets";
import { startOfPeriod } from "@/lib/server/platform/time/local-day";
import { agentNames } from "@/lib/server/threads/thread-row";

type Row = NonNullable<Awaited<ReturnType<Database["budget"]["findUnique"]>>>;

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** The longest that a period can have gone on, in any time zone. */
const MOST_MS = { day: 2 * DAY_MS, month: 33 * DAY_MS } as const;

/** Every budget, oldest first, with its usage. There are few, so there is one page. */
export async function listBudgets(database: Database): Promise<BudgetList> {
  const rows = await database.budget.findMany({ orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
  return { budgets: await describe(database, rows), nextCursor: null };
}

/** Throws `not_found`. */
export async function getBudget(database: Database, id: string): Promise<Budget> {
  const [budget] = await describe(database, [await requireRow(database, id)]);
  if (!budget) throw notFound();
  return budget;
}

/** Usage earlier in the current period counts. Throws `invalid_input` if nothing with that id exists to limit. */
export async function createBudget(
  database: Database,
  body: CreateBudgetBody,
  viewer: Pick<Viewer, "id">,
): Promise<Budget> {
  const { scope, scopeId = null, period, usd, tokens, on_reach: onReach } = body;
  await requireTarget(database, scope, scopeId);
  const id = createId("bud");
  const data = { id, scope, scopeId, period, usd, tokens, onReach, createdById: viewer.id };
  const after = { scope, scopeId, period, usd, tokens, onReach };
  const record = { actorId: viewer.id, action: "budget.created", target: `budget:${id}`, after };
  await database.$transaction([
    database.budget.create({ data }),
    database.auditEntry.create({ data: auditColumns(record), select: { id: true } }),
  ]);
  await countSoFar(database, { id, scope, scopeId, period });
  budgetsChanged();
  return getBudget(database, id);
}

/** Runs that wait for the budget ask again, and continue if they now fit. Throws `not_found`, `invalid_input`. */
export async function updateBudget(
  database: Database,
  id: string,
  body: UpdateBudgetBody,
  viewer: Viewer,
): Promise<Budget> {
  const before = await requireRow(database, id);
  const { on_reach: onReach = before.onReach, period = before.period, usd = before.usd, tokens = before.tokens } = body;
  if (usd === null && tokens === null) {
    const message = "Limit dollars, tokens or both.";
    throw new AppError("invalid_input", `usd: ${message}`, { details: [{ path: "usd", message }] });
  }
  const after = { period, usd, tokens, onReach };
  const was = { period: before.period, usd: before.usd, tokens: before.tokens, onReach: before.onReach };
  const record = { actorId: viewer.id, action: "budget.changed", target: `budget:${id}`, ...changedFields(was, after) };
  await database.$transaction([
    database.budget.update({ where: { id }, data: after, select: { id: true } }),
    database.auditEntry.create({ data: auditColumns(record), select: { id: true } }),
  ]);
  budgetsChanged();
  await resumeRunsOfBudget(database, id, { id: viewer.id, name: viewer.name, via: "page" });
  return getBudget(database, id);
}

/** Runs that wait for the budget continue. Throws `not_found`. */
export async function deleteBudget(database: Database, id: string, viewer: Viewer): Promise<void> {
  const { scope, scopeId, period, usd, tokens, onReach } = await requireRow(database, id);
  const before = { scope, scopeId, period, usd, tokens, onReach };
  const record = { actorId: viewer.id, action: "budget.deleted", target: `budget:${id}`, before };
  await database.$transaction([
    database.budget.delete({ where: { id }, select: { id: true } }),
    database.auditEntry.create({ data: auditColumns(record), select: { id: true } }),
  ]);
  budgetsChanged();
  await resumeRunsOfBudget(database, id, { id: viewer.id, name: viewer.name, via: "page" });
  await database.budgetAccount.deleteMany({ where: { budgetId: id } });
}

async function requireRow(database: Database, id: string): Promise<Row> {
  const row = await database.budget.findUnique({ where: { id } });
  if (!row) throw notFound();
  return row;
}

function notFound(): AppError {
  return new AppError("not_found", "There is no such budget.");
}

async function requireTarget(database: Database, scope: BudgetScope, scopeId: string | null): Promise<void> {
  const where = { id: scopeId ?? "" };
  const found =
    !namesOne(scope) ||
    (scope === "group" && (await database.group.count({ where })) > 0) ||
    (scope === "user" && (await database.user.count({ where })) > 0) ||
    (scope === "agent" && (await database.agent.count({ where: { ...where, deletedAt: null } })) > 0) ||
    (scope === "project" && (await database.project.count({ where: { ...where, deletedAt: null } })) > 0) ||
    (scope === "key" && (await database.apiKey.count({ where })) > 0);
  if (found) return;
  const message = `There is no such ${scope === "key" ? "API key" : scope}.`;
  throw new AppError("invalid_input", `scopeId: ${message}`, { details: [{ path: "scopeId", message }] });
}

/** A budget created at noon includes what was spent in the morning. */
async function countSoFar(
  database: Database,
  budget: Pick<Budget, "id" | "scope" | "scopeId" | "period">,
): Promise<void> {
  const { id, scope, period } = budget;
  if (period === "run" || period === "thread") return;
  if (scope !== "each_user") {
    await database.runAll([usedSoFar(budget, period)]);
    return;
  }
  const begun = period === "total" ? new Date(0) : new Date(Date.now() - MOST_MS[period]);
  const owners = await database.run.findMany({
    where: { depth: 0, createdAt: { gte: begun } },
    distinct: "ownerId",
    select: { ownerId: true },
  });
  await database.runAll(
    owners.map(({ ownerId }) =>
      usedSoFar({ id, scope: "user", scopeId: ownerId }, period, accountsOfPerson(id, ownerId)),
    ),
  );
}

function usedSoFar(
  budget: Pick<Budget, "id" | "scope" | "scopeId">,
  period: Exclude<BudgetPeriod, "run" | "thread">,
  counter = budget.id,
) {
  const { id: budgetId, scope, scopeId } = budget;
  const now = new Date();
  const timeZone = zoneOfBudget(budget);
  const since = {
    day: startOfPeriod("day", now, timeZone),
    month: startOfPeriod("month", now, timeZone),
    total: new Date(0),
  }[period];
  const account = `${counter}:${periodKey(period, { runId: "", threadId: "", now, timeZone })}`;
  return insertUsedAccountStatement({ account, budgetId, scope, scopeId, since, now });
}

async function describe(database: Database, rows: readonly Row[]): Promise<Budget[]> {
  const now = new Date();
  const ids = rows.map(({ id }) => id);
  const [names, accounts, waiting] = await Promise.all([
    namesOf(database, rows),
    selectBudgetAccounts(database, ids, new Date(now.getTime() - WEEK_MS)),
    waitingFor(database, ids),
  ]);
  return rows.map((row) => {
    const { id, scope, scopeId, usd, tokens, onReach, createdAt } = row;
    const period = BudgetPeriod.parse(row.period);
    const account = accountOf(row, accounts, now);
    return Budget.parse({
      id,
      scope,
      scopeId,
      period,
      usd,
      tokens,
      name: names.get(scopeId ?? "") ?? scopeId ?? "",
      on_reach: onReach,
      used: { usd: roundedUsd(account?.usedUsd ?? 0), tokens: account?.usedTokens ?? 0 },
      reserved: { usd: roundedUsd(Math.max(0, account?.reservedUsd ?? 0)), tokens: account?.reservedTokens ?? 0 },
      added: { usd: account?.addedUsd ?? 0, tokens: account?.addedTokens ?? 0 },
      reachedAt: account?.reachedAt?.toISOString() ?? null,
      reachedCount: account?.reachedCount ?? 0,
      waiting: waiting.get(id) ?? [],
      createdAt: createdAt.toISOString(),
    });
  });
}

function accountOf(row: Row, accounts: readonly PeriodAccount[], now: Date): PeriodAccount | undefined {
  const { id, scope } = row;
  const period = BudgetPeriod.parse(row.period);
  const own = accounts.filter(({ budgetId }) => budgetId === id);
  if (period === "run" || period === "thread") return mostUsed(own);
  const keyIn = (timeZone: string | undefined) => periodKey(period, { runId: "", threadId: "", now, timeZone });
  if (scope !== "each_user") return own.find((account) => account.id === `${id}:${keyIn(zoneOfBudget(row))}`);
  const people = accountsOfPerson(id, "");
  const isCurrent = (account: PeriodAccount) => {
    const [userId = ""] = account.id.slice(people.length).split(":", 1);
    const zone = zoneOfBudget({ scope, scopeId: userId });
    return account.id === `${accountsOfPerson(id, userId)}:${keyIn(zone)}`;
  };
  return mostUsed(own.filter(isCurrent));
}

function mostUsed(accounts: readonly PeriodAccount[]): PeriodAccount | undefined {
  return accounts.toSorted((a, b) => b.usedUsd - a.usedUsd)[0];
}

async function namesOf(database: Database, rows: readonly Row[]): Promise<Map<string, string>> {
  const idsOf = (scope: BudgetScope) => rows.flatMap((row) => (row.scope === scope ? (row.scopeId ?? []) : []));
  const select = { id: true, name: true } as const;
  const [groups, users, keys, projects, boards, agents] = await Promise.all([
    database.group.findMany({ where: { id: { in: idsOf("group") } }, select }),
    database.user.findMany({ where: { id: { in: idsOf("user") } }, select }),
    database.apiKey.findMany({ where: { id: { in: idsOf("key") } }, select }),
    database.project.findMany({ where: { id: { in: idsOf("project") } }, select }),
    database.board.findMany({ where: { id: { in: idsOf("board") } }, select }),
    agentNames(database, idsOf("agent")),
  ]);
  return new Map([
    ...agents,
    ...[...groups, ...users, ...keys, ...projects, ...boards].map(({ id, name }) => [id, name] as const),
  ]);
}

async function waitingFor(database: Database, ids: readonly string[]) {
  const found = new Map<string, Budget["waiting"]>();
  if (ids.length === 0) return found;
  const asks = await database.approval.findMany({
    where: { kind: "budget", status: "pending", run: { status: "waiting", thread: { deletedAt: null } } },
    orderBy: { createdAt: "asc" },
    select: { id: true, args: true, runId: true, run: { select: { thread: { select: { id: true, title: true } } } } },
    take: 200,
  });
  const read = readEach(asks, "approval", (ask) => ({ ...ask, ...BudgetAsk.parse(JSON.parse(ask.args)) }));
  for (const { budgetId, runId, run } of read) {
    const { id: threadId, title } = run.thread;
    if (budgetId !== null) found.set(budgetId, [...(found.get(budgetId) ?? []), { runId, threadId, title }]);
  }
  return found;
}
