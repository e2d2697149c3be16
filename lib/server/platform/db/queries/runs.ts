import type { Database } from "@/lib/server/platform/db/database";
import { type SqlValue, sqlJson } from "@/lib/server/platform/db/dialect";
import { readRows } from "@/lib/server/platform/db/rows";
import type { SqlRow, SqlStatement } from "@/lib/server/platform/db/sqlite-writer";
import { insertRow, updateRows } from "@/lib/server/platform/db/statements";

/** A run with every column, as Prisma gives it. */
export type RunRow = NonNullable<Awaited<ReturnType<Database["run"]["findUnique"]>>>;

/** A process's right to execute runs, which it extends while it lives. */
interface Lease {
  readonly owner: string;
  readonly until: Date;
}

/**
 * Claims up to `limit` queued runs whose thread has no other running run and none waiting before them; users with
 * fewer running ones come first. Those of `except` are left to other processes. Returns their rows after the claim,
 * oldest first. One statement, so that two processes never claim the same run.
 */
export async function claimQueuedRuns(
  database: Database,
  lease: Lease,
  limit: number,
  except: readonly string[] = [],
): Promise<RunRow[]> {
  const sql = `update "run" set "status" = 'running', "leaseOwner" = $1, "leaseUntil" = $2, "epoch" = "epoch" + 1,
      "startedAt" = coalesce("startedAt", $3)
    where "status" = 'queued' and "id" in (
      select q."id" from "run" q
      where q."status" = 'queued' and q."id" not in (select h."id" from ${idRows(database, "$4")}) and not exists (
        select 1 from "run" o where o."threadId" = q."threadId" and o."id" <> q."id" and (
          o."status" in ('running', 'waiting') or (o."status" = 'queued' and o."position" < q."position"))
          and o."endedAt" is null)
      order by (select count(*) from "run" r where r."ownerId" = q."ownerId" and r."status" = 'running'),
        q."createdAt", q."id"
      limit ${Math.max(0, Math.floor(limit))})
    returning *`;
  return readRuns(await database.raw(sql, [lease.owner, lease.until, new Date(), idList(except)]));
}

/** Queues a run again that the claim `epoch` holds: the same segment, and no takeover. */
export async function requeueRun(database: Database, { id, epoch }: Pick<RunRow, "id" | "epoch">): Promise<void> {
  const sql = `update "run" set "status" = 'queued', "leaseOwner" = null, "leaseUntil" = null
    where "id" = $1 and "epoch" = $2 and "status" = 'running'`;
  await database.raw(sql, [id, epoch], "full");
}

/**
 * Takes over running runs that nobody holds any more: released ones and those whose lease has expired, or, with
 * `everybodyElses`, all that another owner holds (when the only possible process boots). `held` are those that the
 * owner is executing; any other of its own is one whose claim it never heard of, or that it had to give up.
 */
export async function claimAbandonedRuns(
  database: Database,
  lease: Lease,
  whose: "expired" | "everybodyElses",
  held: readonly string[] = [],
): Promise<RunRow[]> {
  const abandoned = whose === "expired" ? `("leaseOwner" is null or "leaseUntil" < $3)` : "$3 = $3";
  const sql = `update "run" set "leaseOwner" = $1, "leaseUntil" = $2, "epoch" = "epoch" + 1, "segment" = "segment" + 1,
      "takeovers" = "takeovers" + (case when "leaseOwner" is null then 0 else 1 end)
    where "status" = 'running' and "id" not in (select h."id" from ${idRows(database, "$4")}) and ${abandoned}
    returning *`;
  return readRuns(await database.raw(sql, [lease.owner, lease.until, new Date(), idList(held)]));
}

/** The run's current row; null when there is none. The caller has checked who may see it. */
export async function selectRun(database: Database, runId: string): Promise<RunRow | null> {
  const [run] = readRuns(await database.raw(`select * from "run" where "id" = $1`, [runId]));
  return run ?? null;
}

/** Every column as Prisma gives it: a test compares the two. Oldest first. */
function readRuns(rows: readonly SqlRow[]): RunRow[] {
  const runs = readRows<RunRow>(rows, {
    dates: ["createdAt", "startedAt", "endedAt", "waitingSince", "leaseUntil", "cancelRequestedAt"],
    flags: ["isInline", "isBackground", "isReported", "isUsagePartial"],
  });
  return runs.sort(
    (left, right) => left.createdAt.getTime() - right.createdAt.getTime() || (left.id < right.id ? -1 : 1),
  );
}

type RenewedRun = Pick<RunRow, "id" | "cancelRequestedAt" | "cancelledBy">;

/** Extends the owner's leases of the runs `held`; one that is missing from the result no longer belongs to it. */
export async function renewLeases(database: Database, lease: Lease, held: readonly string[]): Promise<RenewedRun[]> {
  const sql = `update "run" set "leaseUntil" = $2 where "leaseOwner" = $1 and "status" = 'running'
    and "id" in (select h."id" from ${idRows(database, "$3")}) returning "id", "cancelRequestedAt", "cancelledBy"`;
  const rows = await database.raw(sql, [lease.owner, lease.until, idList(held)]);
  return readRows<RenewedRun>(rows, { dates: ["cancelRequestedAt"] });
}

function idRows({ dialect }: Database, parameter: string): string {
  return dialect.rows("h", { id: "text" }, parameter);
}

function idList(ids: readonly string[]): string {
  return sqlJson(ids.map((id) => ({ id })));
}

/** Releases every lease of the owner: the next process takes over the runs without counting it as a crash. */
export async function releaseLeases(database: Database, owner: string): Promise<void> {
  const sql = `update "run" set "leaseOwner" = null, "leaseUntil" = null where "leaseOwner" = $1 and "status" = 'running'`;
  await database.raw(sql, [owner], "full");
}

/** Whether a run waits, and what for. */
export type RunState = Pick<RunRow, "id" | "parentRunId" | "status" | "waitingFor">;

/** Null when there is no such run. */
export async function selectRunState(database: Database, runId: string): Promise<RunState | null> {
  const [run] = await database.raw<RunState>(
    `select "id", "parentRunId", "status", "waitingFor" from "run" where "id" = $1`,
    [runId],
  );
  return run ?? null;
}

/** The run and those of its tree that have not ended, without those that run in the background. */
export function selectOpenRunsOfTree(database: Database, runId: string): Promise<RunState[]> {
  return database.raw<RunState>(
    `select "id", "parentRunId", "status", "waitingFor" from "run"
      where "endedAt" is null and ("id" = $1 or ("rootRunId" = (select coalesce(r."rootRunId", r."id") from "run" r
        where r."id" = $1) and "isBackground" = false))`,
    [runId],
  );
}

/** The runs of the thread that wait, those of subagents apart. */
export function selectWaitingRuns(database: Database, threadId: string): Promise<RunState[]> {
  return database.raw<RunState>(
    `select "id", "parentRunId", "status", "waitingFor" from "run"
      where "threadId" = $1 and "status" = 'waiting' and "parentRunId" is null`,
    [threadId],
  );
}

/** Ids of the runs that wait for nothing but child runs that have all ended. */
export async function selectParentsToWake(database: Database): Promise<string[]> {
  const rows = await database.raw<{ id: string }>(
    `select p."id" from "run" p where p."status" = 'waiting' and p."waitingFor" = 'child' and not exists (
      select 1 from "run" c where c."parentRunId" = p."id" and c."isBackground" = false and c."endedAt" is null)`,
  );
  return rows.map(({ id }) => id);
}

/** Ids of the child runs that ended after their parent had, and that nobody has counted. */
export async function selectLateChildren(database: Database): Promise<string[]> {
  const rows = await database.raw<{ id: string }>(
    `select c."id" from "run" c join "run" p on p."id" = c."parentRunId"
      where c."parentRunId" is not null and not c."isReported" and c."endedAt" is not null
        and p."endedAt" is not null`,
  );
  return rows.map(({ id }) => id);
}

/** What the thread's open runs were started with, as JSON. */
export async function selectOpenInputs(database: Database, threadId: string): Promise<string[]> {
  const rows = await database.raw<{ input: string }>(
    `select "input" from "run" where "threadId" = $1 and "endedAt" is null`,
    [threadId],
  );
  return rows.map(({ input }) => input);
}

/** The last place that a run of the thread has; 0 when it has none. Under the thread's lock the next one is free. */
export async function selectLastRunPosition(database: Database, threadId: string): Promise<number> {
  const [row] = await database.raw<{ last: number | null }>(
    `select max("position") as "last" from "run" where "threadId" = $1`,
    [threadId],
  );
  return row?.last ?? 0;
}

/** The id of each thread's latest run, by the thread's id; those of subagents apart. */
export async function selectLatestRunIds(
  database: Database,
  threadIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await database.raw<{ threadId: string; runId: string | null }>(
    `select t."id" as "threadId",
       (select r."id" from "run" r where r."threadId" = t."id" and r."parentRunId" is null
        order by r."position" desc limit 1) as "runId"
     from ${database.dialect.rows("t", { id: "text" }, "$1")}`,
    [idList(threadIds)],
  );
  return new Map(rows.flatMap(({ threadId, runId }) => (runId === null ? [] : [[threadId, runId] as const])));
}

/** A run as it is made; the other columns begin with the database's defaults. */
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
  | "continuesRunId"
  | "modelOverride"
  | "idempotencyKey"
  | "position"
  | "createdAt"
>;

export function insertRunStatement(run: NewRun): SqlStatement {
  return insertRow("run", run);
}

/** Fails the list of statements when the run is not in that state any more. */
export function endRunStatement(
  { id, status, epoch }: Pick<RunRow, "id" | "status" | "epoch">,
  columns: Readonly<Partial<Record<keyof RunRow, SqlValue>>>,
): SqlStatement {
  const released = { waitingFor: null, waitingSince: null, leaseOwner: null, leaseUntil: null };
  return { ...updateRows("run", { id, status, epoch }, { ...columns, ...released }), mustChange: true };
}

/** The child run is in its parent's figures. */
export function markReportedStatement(runId: string): SqlStatement {
  return updateRows("run", { id: runId }, { isReported: true });
}
