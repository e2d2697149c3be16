import type { Database } from "@/lib/server/platform/db/database";
import { type SqlValue, sqlJson } from "@/lib/server/platform/db/dialect";
import { isNothingChanged } from "@/lib/server/platform/db/errors";
import { readRows } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { insertRows } from "@/lib/server/platform/db/statements";

/** A model call, identified as its reservations are. */
interface BudgetedCall {
  readonly runId: string;
  readonly epoch: number;
  readonly call: number;
}

/** One account that a call draws on. A limit of null is no limit; 0 is one. */
export interface Draw {
  readonly account: string;
  readonly budgetId: string | null;
  readonly limitUsd: number | null;
  readonly limitTokens: number | null;
}

/** Rounding errors in sums must not refuse a call that fits exactly. */
const TOLERANCE_USD = 1e-9;

interface Reserve extends BudgetedCall {
  readonly draws: readonly Draw[];
  readonly usd: number;
  readonly tokens: number;
  /** What the call sends, within `usd` and `tokens`: if its process dies, its provider charges that. */
  readonly input: { readonly usd: number; readonly tokens: number };
  readonly now: Date;
}

/**
 * Reserves the maximum cost of a call in all of its accounts, or in none: false if it does not fit into one. Each
 * account is checked and changed by one statement, so that simultaneous calls can't both take the last dollar; they
 * take their accounts in the same order.
 */
export async function reserveCall(database: Database, request: Reserve): Promise<boolean> {
  const { runId, epoch, call, usd, tokens, input, now } = request;
  const draws = [...request.draws].sort((left, right) => (left.account < right.account ? -1 : 1));
  const accounts = draws.map(({ account: id, budgetId }) => ({ id, budgetId, updatedAt: now }));
  const columns = { id: "text", budgetId: "text", updatedAt: "timestamp" } as const;
  const opened = insertRows(database.dialect, "budget_account", columns, accounts);
  const places = draws.map(({ account: accountId }) => ({
    runId,
    epoch,
    call,
    accountId,
    usd,
    tokens,
    inputUsd: input.usd,
    inputTokens: input.tokens,
    createdAt: now,
  }));
  try {
    await database.runAll(
      [
        { ...opened, sql: `${opened.sql} on conflict ("id") do nothing` },
        ...draws.map((draw) => drawStatement(draw, request)),
        insertRows(database.dialect, "budget_reservation", RESERVATION, places),
      ],
      "normal",
    );
    return true;
  } catch (error) {
    if (isNothingChanged(error)) return false;
    throw error;
  }
}

const RESERVATION = {
  runId: "text",
  epoch: "integer",
  call: "integer",
  accountId: "text",
  usd: "float",
  tokens: "float",
  inputUsd: "float",
  inputTokens: "float",
  createdAt: "timestamp",
} as const;

function drawStatement({ account, limitUsd, limitTokens }: Draw, { usd, tokens, now }: Reserve): SqlStatement {
  const parameters: SqlValue[] = [account, usd, tokens, now];
  const within = (name: "Usd" | "Tokens", place: number, limit: number | null) => {
    if (limit === null) return "";
    parameters.push(limit);
    return ` and "used${name}" + "reserved${name}" + $${place} <= $${parameters.length} + "added${name}"`;
  };
  const usdFits = within("Usd", 2, limitUsd === null ? null : limitUsd + TOLERANCE_USD);
  const tokensFit = within("Tokens", 3, limitTokens);
  const sql = `update "budget_account" set "reservedUsd" = "reservedUsd" + $2,
      "reservedTokens" = "reservedTokens" + $3, "updatedAt" = $4 where "id" = $1${usdFits}${tokensFit}`;
  return { sql, parameters, mustChange: true };
}

interface Settle extends BudgetedCall {
  readonly accounts: readonly string[];
  /** The reserved amount; `spent` is the actual cost. */
  readonly reserved: { readonly usd: number; readonly tokens: number };
  readonly spent: { readonly usd: number; readonly tokens: number };
  /** Only if this event of the run was already stored, in the same transaction. Null: unconditionally. */
  readonly eventSeq: number | null;
  readonly now: Date;
}

/**
 * Replaces a call's reservation with its actual cost. Idempotent: repeated, or after a takeover, it changes nothing.
 */
export function settleStatements({ accounts, reserved, spent, eventSeq, now, ...key }: Settle): SqlStatement[] {
  const { runId, epoch, call } = key;
  const stored = (places: string) =>
    eventSeq === null
      ? ""
      : ` and exists (select 1 from "run_event" where ${places} and "seq" = ${Math.floor(eventSeq)})`;
  const updates = [...accounts].sort().map(
    (account): SqlStatement => ({
      sql: `update "budget_account" set "usedUsd" = "usedUsd" + $2, "usedTokens" = "usedTokens" + $3,
        "reservedUsd" = "reservedUsd" - $4, "reservedTokens" = "reservedTokens" - $5, "updatedAt" = $6
      where "id" = $1 and exists (select 1 from "budget_reservation" where "runId" = $7 and "epoch" = $8 and "call" = $9
        and "accountId" = $1)${stored(`"runId" = $7 and "epoch" = $8`)}`,
      parameters: [account, spent.usd, spent.tokens, reserved.usd, reserved.tokens, now, runId, epoch, call],
    }),
  );
  const settled: SqlStatement = {
    sql: `delete from "budget_reservation" where "runId" = $1 and "epoch" = $2 and "call" = $3
      ${stored(`"runId" = $1 and "epoch" = $2`)}`,
    parameters: [runId, epoch, call],
  };
  return [...updates, settled];
}

interface LostReservation {
  readonly epoch: number;
  readonly call: number;
  readonly accountId: string;
  readonly usd: number;
  readonly tokens: number;
  readonly inputUsd: number;
  readonly inputTokens: number;
}

/**
 * Settles what the run's claims before an epoch have reserved: their process has died, or has given the run up. Each
 * call counts with what it sent, the last also with the tokens that it had streamed.
 */
export async function settleLostCalls(
  database: Database,
  { runId, before }: { readonly runId: string; readonly before: number },
  streamedTokens: number,
): Promise<void> {
  const rows = await database.raw<LostReservation>(
    `select "epoch", "call", "accountId", "usd", "tokens", "inputUsd", "inputTokens" from "budget_reservation"
      where "runId" = $1 and "epoch" < $2 order by "epoch", "call"`,
    [runId, before],
  );
  const calls = [...Map.groupBy(rows, ({ epoch, call }) => `${epoch} ${call}`).values()];
  const statements = calls.flatMap((places, index) => {
    const [first] = places;
    if (!first) return [];
    const { epoch, call, usd, tokens } = first;
    const spent = lostUsage(first, index === calls.length - 1 ? streamedTokens : 0);
    const accounts = places.map(({ accountId }) => accountId);
    return settleStatements({
      ...{ runId, epoch, call, accounts, reserved: { usd, tokens }, spent },
      eventSeq: null,
      now: new Date(),
    });
  });
  if (statements.length > 0) await database.runAll(statements, "normal");
}

/** The output's price per token is that of the reservation. */
function lostUsage({ usd, tokens, inputUsd, inputTokens }: LostReservation, streamedTokens: number) {
  const most = tokens - inputTokens;
  const written = Math.min(most, streamedTokens);
  return {
    usd: inputUsd + (most > 0 ? Math.max(0, ((usd - inputUsd) * written) / most) : 0),
    tokens: Math.round(inputTokens + written),
  };
}

/** Claims that reserved something before then and in which no process executes the run any more. */
export async function selectLostClaims(database: Database, before: Date): Promise<{ runId: string; epoch: number }[]> {
  const [any] = await database.raw(`select 1 from "budget_reservation" where "createdAt" < $1 limit 1`, [before]);
  if (!any) return [];
  const alive = `exists (select 1 from "run" where "run"."id" = "budget_reservation"."runId"
    and "run"."epoch" = "budget_reservation"."epoch" and "run"."status" = 'running')`;
  return database.raw<{ runId: string; epoch: number }>(
    `select distinct "runId", "epoch" from "budget_reservation" where "createdAt" < $1 and not ${alive}`,
    [before],
  );
}

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

/** Those of the accounts that exist: an account is created by the first call that draws on it. */
export async function selectAccounts(database: Database, ids: readonly string[]): Promise<BudgetAccountRow[]> {
  const rows = await database.raw(
    `select a."id", a."budgetId", a."usedUsd", a."usedTokens", a."reservedUsd", a."reservedTokens", a."addedUsd",
       a."addedTokens", a."reachedCount", a."reachedAt"
     from "budget_account" a join ${database.dialect.rows("h", { id: "text" }, "$1")} on h."id" = a."id"`,
    [sqlJson(ids.map((id) => ({ id })))],
  );
  return readRows<BudgetAccountRow>(rows, { dates: ["reachedAt"] });
}

/** Creates the account even if no call has ever fitted, so that somebody can add to it. */
export async function markReached(
  database: Database,
  { account, budgetId }: Pick<Draw, "account" | "budgetId">,
  now: Date,
): Promise<void> {
  await database.raw(
    `insert into "budget_account" ("id", "budgetId", "reachedCount", "reachedAt", "updatedAt")
      values ($1, $2, 1, $3, $3) on conflict ("id") do update
      set "reachedCount" = "budget_account"."reachedCount" + 1, "reachedAt" = $3, "updatedAt" = $3`,
    [account, budgetId, now],
  );
}

/** Deletes the accounts of periods that nobody has drawn on since then. */
export async function deleteAccountsBefore(database: Database, before: Date): Promise<void> {
  await database.raw(
    `delete from "budget_account" where "updatedAt" < $1 and "id" not like '%:total'
      and not exists (select 1 from "budget_reservation" r where r."accountId" = "budget_account"."id")`,
    [before],
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
  const rows = await database.raw<BudgetRow>(
    `select "id", "scope", "scopeId", "period", "usd", "tokens", "onReach" from "budget" order by "createdAt", "id"`,
  );
  if (!rows.some(({ scope }) => scope === "group")) return rows;
  const people = await database.raw<{ groupId: string; userId: string }>(
    `select "groupId", "userId" from "group_member"
      where "groupId" in (select "scopeId" from "budget" where "scope" = 'group')`,
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
  const rows = await database.raw(
    `select a."id", a."budgetId", a."usedUsd", a."usedTokens", a."reservedUsd", a."reservedTokens", a."addedUsd",
       a."addedTokens", a."reachedCount", a."reachedAt"
     from "budget_account" a join ${database.dialect.rows("h", { id: "text" }, "$1")} on h."id" = a."budgetId"
     where a."updatedAt" >= $2 or a."id" like '%:total' or a."id" like '%:month:%'`,
    [sqlJson(budgetIds.map((id) => ({ id }))), since],
  );
  return readRows<PeriodAccount>(rows, { dates: ["reachedAt"] });
}

interface UsedAccount {
  readonly account: string;
  readonly budgetId: string;
  readonly scope: string;
  readonly scopeId: string | null;
  readonly since: Date;
  readonly now: Date;
}

/** The runs that a budget applies to, by its scope; $5 is what it limits. */
const OF_SCOPE: Readonly<Record<string, string>> = {
  user: `"ownerId" = $5`,
  agent: `"agentId" = $5`,
  key: `"apiKeyId" = $5`,
  project: `"projectId" = $5`,
  group: `"ownerId" in (select "userId" from "group_member" where "groupId" = $5)`,
};

/** The account of a new budget's current period, with the usage of its root runs so far. */
export function insertUsedAccountStatement(used: UsedAccount): SqlStatement {
  const { account, budgetId, scope, scopeId, since, now } = used;
  const condition = OF_SCOPE[scope];
  const ofScope = condition === undefined ? "" : ` and ${condition}`;
  return {
    sql: `insert into "budget_account" ("id", "budgetId", "usedUsd", "usedTokens", "updatedAt")
      select $1, $2, coalesce(sum("costUsd"), 0), coalesce(sum("inputTokens" + "outputTokens"), 0), $3
      from "run" where "depth" = 0 and "createdAt" >= $4${ofScope}`,
    parameters: [account, budgetId, now, since, ...(condition === undefined ? [] : [scopeId])],
  };
}
