import type { Database } from "@/lib/server/platform/db/database";
import { type SqlValue, sqlJson } from "@/lib/server/platform/db/dialect";
import { readRows } from "@/lib/server/platform/db/rows";
import type { SqlRow, SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { insertRow, updateRows } from "@/lib/server/platform/db/statements";

/** A run with every column, as Prisma returns it. */
export type RunRow = NonNullable<Awaited<ReturnType<Database["run"]["findUnique"]>>>;

/**
 * `owner` gets the segment; `isRetry` if the process that had the segment may have died, so that the run may be
 * running.
 */
interface Claim {
  readonly runId: string;
  readonly owner: string;
  readonly isRetry: boolean;
}

/**
 * Claims the run for its next segment and returns its row after the claim. Null if it is not this run's turn: it has
 * ended or waits, another run of its thread comes first, or another connection currently locks its row, which a claim
 * never waits for (`isClaimable` tells the two apart). A run found running is taken over: epoch and segment advance,
 * and it counts as a takeover unless its process had released it.
 */
export async function claimRun(database: Database, { runId, owner, isRetry }: Claim): Promise<RunRow | null> {
  const found = `"run"."status" = 'running'`;
  const sql = `update "run" set "status" = 'running', "leaseOwner" = $2, "epoch" = "epoch" + 1,
      "segment" = "segment" + (case when ${found} then 1 else 0 end),
      "takeovers" = "takeovers" + (case when ${found} and "leaseOwner" is not null then 1 else 0 end),
      "startedAt" = coalesce("startedAt", $3)
    where "id" = (${claimable(isRetry)}${database.dialect.provider === "postgresql" ? " for no key update skip locked" : ""})
    returning *`;
  const [run] = readRuns(await database.raw(sql, [runId, owner, new Date()]));
  return run ?? null;
}

/** Whether a claim would succeed now if nobody else had locked the run's row. */
export async function isClaimable(database: Database, { runId, isRetry }: Omit<Claim, "owner">): Promise<boolean> {
  return (await database.raw(claimable(isRetry), [runId])).length > 0;
}

function claimable(isRetry: boolean): string {
  return `select q."id" from "run" q where q."id" = $1
    and q."status" in (${isRetry ? "'queued', 'running'" : "'queued'"}) and ${IS_HEAD}`;
}

/** The run is not held, and no other run of the thread is active or comes before it; held ones come before nothing. */
const IS_HEAD = `q."heldAt" is null and not exists (select 1 from "run" o where o."threadId" = q."threadId"
  and o."endedAt" is null and o."heldAt" is null and o."id" <> q."id"
  and (o."status" <> 'queued' or (q."status" = 'queued' and o."position" < q."position")))`;

/** Queues a run held by the claim `epoch` again: the same segment, and no takeover. */
export async function requeueRun(database: Database, { id, epoch }: Pick<RunRow, "id" | "epoch">): Promise<void> {
  const sql = `update "run" set "status" = 'queued', "leaseOwner" = null
    where "id" = $1 and "epoch" = $2 and "status" = 'running'`;
  await database.raw(sql, [id, epoch], "full");
}

/** Releases the run without counting it as a crash: whoever claims it next continues it. */
export async function releaseRun(
  database: Database,
  { id, epoch, leaseOwner }: Pick<RunRow, "id" | "epoch" | "leaseOwner">,
): Promise<void> {
  await database.raw(
    `update "run" set "leaseOwner" = null
      where "id" = $1 and "epoch" = $2 and "leaseOwner" = $3 and "status" = 'running'`,
    [id, epoch, leaseOwner],
    "full",
  );
}

interface WaitingOwner {
  readonly id: string;
  readonly running: number;
}

/** Users with queued runs: those with fewer running ones first, then those whose run has waited longest. */
export function selectWaitingOwners(database: Database): Promise<WaitingOwner[]> {
  const queued = `"endedAt" is null and "status" = 'queued' and "heldAt" is null`;
  return database.raw<WaitingOwner>(
    `with recursive owners("id") as (
      select min("ownerId") from "run" where ${queued}
      union all
      select (select min(r."ownerId") from "run" r where r."endedAt" is null and r."status" = 'queued'
        and r."heldAt" is null and r."ownerId" > owners."id") from owners where owners."id" is not null)
    select o."id", (select count(*) from "run" r where r."endedAt" is null and r."status" = 'running'
        and r."ownerId" = o."id") as "running"
      from owners o where o."id" is not null
      order by 2, (select min(r."createdAt") from "run" r where r."endedAt" is null and r."status" = 'queued'
        and r."heldAt" is null and r."ownerId" = o."id")`,
  );
}

/** Up to `limit` of the owner's queued runs whose turn it is, oldest first. */
export async function selectTurns(database: Database, ownerId: string, limit: number): Promise<string[]> {
  const rows = await database.raw<{ id: string }>(
    `select q."id" from "run" q where q."endedAt" is null and q."status" = 'queued' and q."ownerId" = $1 and ${IS_HEAD}
      order by q."createdAt", q."id" limit ${Math.max(0, Math.floor(limit))}`,
    [ownerId],
  );
  return rows.map(({ id }) => id);
}

/** Runs that are running but not among those `held`: their process has died, or had to give them up. */
export async function selectLeftRuns(database: Database, held: readonly string[]): Promise<string[]> {
  const rows = await database.raw<{ id: string }>(
    `select "id" from "run" where "endedAt" is null and "status" = 'running'
      and "id" not in (select h."id" from ${idRows(database, "$1")}) order by "createdAt", "id"`,
    [idList(held)],
  );
  return rows.map(({ id }) => id);
}

/** The columns of a queued run that a dispatcher needs. */
export type QueuedRun = Pick<RunRow, "id" | "ownerId" | "segment">;

/** The run whose turn it is in the thread of `runId`; null if one is active there, or none is queued. */
export async function selectNextOfThread(database: Database, runId: string): Promise<QueuedRun | null> {
  const [run] = await database.raw<QueuedRun>(
    `select q."id", q."ownerId", q."segment" from "run" q
      where q."threadId" = (select r."threadId" from "run" r where r."id" = $1) and q."endedAt" is null
        and q."status" = 'queued' and ${IS_HEAD} limit 1`,
    [runId],
  );
  return run ?? null;
}

/** Whether at least `count` runs are queued and not held. */
export async function areQueued(database: Database, count: number): Promise<boolean> {
  const [row] = await database.raw<{ found: number }>(
    `select count(*) as "found" from (
      select 1 from "run" where "endedAt" is null and "status" = 'queued' and "heldAt" is null
        limit ${Math.floor(count)}) as q`,
  );
  return (row?.found ?? 0) >= count;
}

/** How many runs of the user have not ended; held ones do not count. */
export async function countOpenRuns(database: Database, ownerId: string): Promise<number> {
  const [row] = await database.raw<{ count: number }>(
    `select count(*) as "count" from "run"
      where "endedAt" is null and "status" in ('queued', 'running', 'waiting') and "heldAt" is null and "ownerId" = $1`,
    [ownerId],
  );
  return row?.count ?? 0;
}

/** The run's current row; null if there is none. The caller has checked who may see it. */
export async function selectRun(database: Database, runId: string): Promise<RunRow | null> {
  const [run] = readRuns(await database.raw(`select * from "run" where "id" = $1`, [runId]));
  return run ?? null;
}

/** Every column as Prisma returns it: a test compares the two. */
function readRuns(rows: readonly SqlRow[]): RunRow[] {
  return readRows<RunRow>(rows, {
    dates: ["createdAt", "startedAt", "endedAt", "waitingSince", "cancelRequestedAt", "heldAt"],
    flags: ["isInline", "isBackground", "isReported", "isUsagePartial", "isUsageEstimated", "attended"],
  });
}

/** What the process that executes a run checks periodically. */
export type WatchedRun = Pick<
  RunRow,
  "id" | "status" | "leaseOwner" | "epoch" | "cancelRequestedAt" | "cancelledBy" | "unreadSteers"
>;

export async function selectWatchedRuns(database: Database, runIds: readonly string[]): Promise<WatchedRun[]> {
  const rows = await database.raw(
    `select r."id", r."status", r."leaseOwner", r."epoch", r."cancelRequestedAt", r."cancelledBy",
      r."unreadSteers" from "run" r
      join ${idRows(database, "$1")} on h."id" = r."id"`,
    [idList(runIds)],
  );
  return readRows<WatchedRun>(rows, { dates: ["cancelRequestedAt"] });
}

function idRows({ dialect }: Database, parameter: string): string {
  return dialect.rows("h", { id: "text" }, parameter);
}

function idList(ids: readonly string[]): string {
  return sqlJson(ids.map((id) => ({ id })));
}

/** Whether a run waits, and what for. */
export type RunState = Pick<RunRow, "id" | "parentRunId" | "status" | "waitingFor">;

/** Null if there is no such run. */
export async function selectRunState(database: Database, runId: string): Promise<RunState | null> {
  const [run] = await database.raw<RunState>(
    `select "id", "parentRunId", "status", "waitingFor" from "run" where "id" = $1`,
    [runId],
  );
  return run ?? null;
}

/** The run and the open runs of its tree, except background runs. */
export function selectOpenRunsOfTree(database: Database, runId: string): Promise<RunState[]> {
  return database.raw<RunState>(
    `select "id", "parentRunId", "status", "waitingFor" from "run"
      where "endedAt" is null and ("id" = $1 or ("rootRunId" = (select coalesce(r."rootRunId", r."id") from "run" r
        where r."id" = $1) and "isBackground" = false))`,
    [runId],
  );
}

/** The thread's waiting runs, except those of subagents. */
export function selectWaitingRuns(
  database: Database,
  threadId: string,
): Promise<(RunState & Pick<RunRow, "ownerId">)[]> {
  return database.raw<RunState & Pick<RunRow, "ownerId">>(
    `select "id", "ownerId", "parentRunId", "status", "waitingFor" from "run"
      where "threadId" = $1 and "status" = 'waiting' and "parentRunId" is null`,
    [threadId],
  );
}

/** Ids of the runs that only wait for child runs, all of which have ended. */
export async function selectParentsToWake(database: Database): Promise<string[]> {
  const rows = await database.raw<{ id: string }>(
    `select p."id" from "run" p where p."endedAt" is null and p."status" = 'waiting' and p."waitingFor" = 'child' and not exists (
      select 1 from "run" c where c."parentRunId" = p."id" and c."isBackground" = false and c."endedAt" is null)`,
  );
  return rows.map(({ id }) => id);
}

/** Fails the list of statements if the run no longer waits for its children alone. */
export function requeueParentStatement(
  { id, segment }: Pick<RunRow, "id" | "segment">,
  columns: Readonly<Partial<Record<keyof RunRow, SqlValue>>>,
): SqlStatement {
  return { ...updateRows("run", { id, segment, status: "waiting", waitingFor: "child" }, columns), mustChange: true };
}

/** Ids of the child runs that ended after their parent and have not been counted. */
export async function selectLateChildren(database: Database): Promise<string[]> {
  const rows = await database.raw<{ id: string }>(
    `select c."id" from "run" c join "run" p on p."id" = c."parentRunId"
      where c."parentRunId" is not null and not c."isReported" and c."endedAt" is not null
        and p."endedAt" is not null`,
  );
  return rows.map(({ id }) => id);
}

/** The id of each thread's latest run, by the thread's id; held runs and those of subagents are excluded. */
export async function selectLatestRunIds(
  database: Database,
  threadIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await database.raw<{ threadId: string; runId: string | null }>(
    `select t."id" as "threadId",
       (select r."id" from "run" r where r."threadId" = t."id" and r."parentRunId" is null
        and r."heldAt" is null order by r."position" desc limit 1) as "runId"
     from ${database.dialect.rows("t", { id: "text" }, "$1")}`,
    [idList(threadIds)],
  );
  return new Map(rows.flatMap(({ threadId, runId }) => (runId === null ? [] : [[threadId, runId] as const])));
}

/** A run at its creation; the other columns start with the database's defaults. */
type NewRun = Pick<
  RunRow,
  | "id"
  | "threadId"
  | "ownerId"
  | "agentId"
  | "agentVersionId"
  | "traceId"
  | "costUsd"
  | "assistantMessageId"
  | "input"
  | "origin"
  | "originDetails"
  | "attended"
  | "continuesRunId"
  | "modelOverride"
  | "effort"
  | "apiKeyId"
  | "idempotencyKey"
  | "position"
  | "afterRunId"
  | "regeneratesRunId"
  | "createdAt"
  | "projectId"
  | "fileScope"
> &
  Partial<Pick<RunRow, "steersRunId" | "heldAt">>;

export function insertRunStatement(run: NewRun): SqlStatement {
  return insertRow("run", run);
}

/**
 * Fails the list of statements if the run is no longer in that state, or if it would complete without having read its
 * steers (D-89).
 */
export function endRunStatement(
  { id, status, epoch }: Pick<RunRow, "id" | "status" | "epoch">,
  columns: Readonly<Partial<Record<keyof RunRow, SqlValue>>>,
): SqlStatement {
  const released = { waitingFor: null, waitingSince: null, leaseOwner: null, heldAt: null };
  const open: Record<string, SqlValue> = { id, status, epoch };
  const where = columns.status === "completed" ? { ...open, unreadSteers: 0 } : open;
  return { ...updateRows("run", where, { ...columns, ...released }), mustChange: true };
}

/** Marks the child run as included in its parent's figures. */
export function markReportedStatement(runId: string): SqlStatement {
  return updateRows("run", { id: runId }, { isReported: true });
}
