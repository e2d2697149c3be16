import type { Reader } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import type { SqlValue } from "@/lib/server/platform/db/dialect";
import { inChunks, type Pace } from "@/lib/server/platform/db/in-chunks";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { type Increment, updateRows } from "@/lib/server/platform/db/statements";
import { homeInReachSql } from "@/lib/server/platform/within-reach";
import { purgeThread } from "./purge";

/** The id by which clients identify the thread (D-58); for a subagent's thread, that of the thread it works for. */
export async function selectClientId(database: Database, threadId: string): Promise<string | null> {
  const [row] = await database.raw<{ clientId: string }>(
    `select coalesce((select p."clientId" from "thread" p where p."id" = t."parentThreadId"), t."clientId") as "clientId"
      from "thread" t where t."id" = $1`,
    [threadId],
  );
  return row?.clientId ?? null;
}

export interface ProjectFigures {
  readonly all: number;
  readonly waiting: number;
  readonly running: number;
  readonly mine: number;
}

/** The project's listed threads, by the status of their newest run, and those that this member started. */
export async function countProjectThreads(
  database: Database,
  projectId: string,
  { id: ownerId, reach }: Reader,
): Promise<ProjectFigures> {
  const count = (condition: string) => `count(case when ${condition} then 1 end)`;
  const [row] = await database.raw<ProjectFigures>(
    `select count(*) as "all", ${count(`l."status" = 'waiting'`)} as "waiting",
       ${count(`l."status" in ('queued', 'running')`)} as "running", ${count(`l."ownerId" = $2`)} as "mine"
     from (select t."ownerId", (select r."status" from "run" r where r."threadId" = t."id" and r."parentRunId" is null
         and r."heldAt" is null order by r."position" desc limit 1) as "status"
       from "thread" t where t."projectId" = $1 and t."deletedAt" is null and t."archivedAt" is null
         and t."ephemeral" = false and t."parentThreadId" is null and t."boardId" is null
         ${homeInReachSql(
           reach?.map((_, index) => `$${index + 3}`),
           "t",
         )}) l`,
    [projectId, ownerId, ...(reach ?? [])],
  );
  const { all = 0, waiting = 0, running = 0, mine = 0 } = row ?? {};
  return { all: Number(all), waiting: Number(waiting), running: Number(running), mine: Number(mine) };
}

/** The cost of the root runs of the project's threads since then, and how many of them have no known price. */
export async function sumProjectCost(
  database: Database,
  projectId: string,
  since: Date,
): Promise<{ usd: number; unpriced: number }> {
  const [row] = await database.raw<{ usd: number; unpriced: number }>(
    `select coalesce(sum(r."costUsd"), 0) as "usd",
       count(case when r."costUsd" is null and r."endedAt" is not null and r."steps" > 0 then 1 end) as "unpriced"
     from "thread" t join "run" r on r."threadId" = t."id"
     where t."projectId" = $1 and r."projectId" = $1 and r."depth" = 0 and r."createdAt" >= $2`,
    [projectId, since],
  );
  return { usd: Number(row?.usd ?? 0), unpriced: Number(row?.unpriced ?? 0) };
}

/** The lease to compact a thread. */
interface ThreadLease {
  readonly threadId: string;
  readonly owner: string;
  /** From now on, by the database's clock. */
  readonly holdMs: number;
}

/** False if another holder has the lease. */
export async function claimThread(database: Database, { threadId, owner, holdMs }: ThreadLease): Promise<boolean> {
  const { clock } = database.dialect;
  const rows = await database.raw(
    `update "thread" set "compactionOwner" = $2, "compactionUntil" = ${clock("$3")}
     where "id" = $1 and ("compactionUntil" is null or "compactionUntil" < ${clock()}) returning "id"`,
    [threadId, owner, holdMs],
  );
  return rows.length > 0;
}

export async function renewThread(database: Database, { threadId, owner, holdMs }: ThreadLease): Promise<void> {
  await database.raw(
    `update "thread" set "compactionUntil" = ${database.dialect.clock("$3")}
     where "id" = $1 and "compactionOwner" = $2 returning "id"`,
    [threadId, owner, holdMs],
  );
}

/** Does nothing if the lease has expired and another holder has it. */
export async function releaseThread(database: Database, threadId: string, owner: string): Promise<void> {
  await database.raw(
    `update "thread" set "compactionOwner" = null, "compactionUntil" = null where "id" = $1 and "compactionOwner" = $2`,
    [threadId, owner],
  );
}

/** Releases all threads, or those whose lease has expired; returns their ids. */
export async function releaseThreads(database: Database, whose: "all" | "expired"): Promise<string[]> {
  const isDead = whose === "all" ? "true" : `"compactionUntil" < ${database.dialect.clock()}`;
  const threads = await database.raw<{ id: string }>(
    `update "thread" set "compactionOwner" = null, "compactionUntil" = null
     where "compactionUntil" is not null and ${isDead} returning "id"`,
  );
  return threads.map(({ id }) => id);
}

interface Touch {
  readonly title: string | null;
  readonly updatedAt: Date;
  readonly leafRunId: string | null;
  readonly isBranched: boolean;
}

/** The thread got a run, the new end of the branch that it shows; a thread without a title gets this one. */
export function touchThreadStatement(threadId: string, touch: Touch): SqlStatement {
  return {
    sql: `update "thread" set "title" = coalesce("title", $2), "updatedAt" = $3, "leafRunId" = $4, "isBranched" = $5
      where "id" = $1`,
    parameters: [threadId, touch.title, touch.updatedAt, touch.leafRunId, touch.isBranched],
  };
}

export function updateThreadStatement(
  threadId: string,
  columns: Readonly<Record<string, SqlValue | Increment>>,
): SqlStatement {
  return updateRows("thread", { id: threadId }, columns);
}

const IS_IDLE = `not exists (select 1 from "run" r where r."threadId" = "thread"."id" and r."endedAt" is null
  and r."heldAt" is null)`;

/** Threads created for one request and not used since then. */
export function deleteEphemeralThreads(database: Database, unusedSince: Date, pace: Pace): Promise<void> {
  return purgeThreads(
    database,
    `"ephemeral" = true and "isTest" = false and "updatedAt" < $1 and ${IS_IDLE}`,
    [unusedSince],
    pace,
  );
}

/** Deletes test threads not used since then, as a person would: they are purged with their files in time. */
export async function retireTestThreads(database: Database, unusedSince: Date, now: Date): Promise<void> {
  const sql = `update "thread" set "deletedAt" = $2
    where "isTest" = true and "deletedAt" is null and "updatedAt" < $1 and ${IS_IDLE}`;
  await database.raw(sql, [unusedSince, now]);
}

/** Of people, and not pinned; the threads of subagents go with their parent's. */
const IS_UNUSED = `"updatedAt" < $1 and "deletedAt" is null and "pinned" = false and "parentThreadId" is null
  and "ephemeral" = false and "isTest" = false`;

export async function countUnusedThreads(database: Database, unusedSince: Date): Promise<number> {
  const sql = `select count(*) as "count" from "thread" where ${IS_UNUSED} and ${IS_IDLE}`;
  const [row] = await database.raw<{ count: number }>(sql, [unusedSince]);
  return Number(row?.count ?? 0);
}

/** Deletes threads that nobody has used since then, as a person would; returns how many. */
export function retireUnusedThreads(database: Database, unusedSince: Date, now: Date, pace: Pace): Promise<number> {
  return inChunks(async (limit) => {
    const some = `select "id" from "thread" where ${IS_UNUSED} and ${IS_IDLE} limit ${limit}`;
    const sql = `update "thread" set "deletedAt" = $2 where "id" in (${some}) returning "id"`;
    return (await database.raw(sql, [unusedSince, now])).length;
  }, pace);
}

/** Threads with the agent that were not used since then, except those of its subagents. */
export function deleteUnusedThreads(database: Database, agentId: string, unusedSince: Date, pace: Pace): Promise<void> {
  const where = `"agentId" = $1 and "parentThreadId" is null and "updatedAt" < $2 and ${IS_IDLE}`;
  return purgeThreads(database, where, [agentId, unusedSince], pace);
}

/** Threads of subagents whose parent thread no longer exists. */
export function deleteOrphanedThreads(database: Database, pace: Pace): Promise<void> {
  const where = `"parentThreadId" is not null and "parentThreadId" not in (select "id" from "thread")`;
  return purgeThreads(database, where, [], pace);
}

const THREADS_PER_TURN = 100;

async function purgeThreads(
  database: Database,
  where: string,
  parameters: readonly SqlValue[],
  pace: Pace,
): Promise<void> {
  const sql = `select "id" from "thread" where ${where} limit ${THREADS_PER_TURN}`;
  for (;;) {
    const threads = await database.raw<{ id: string }>(sql, parameters);
    for (const { id } of threads) await purgeThread(database, id, pace);
    if (threads.length < THREADS_PER_TURN || !(await pace.rest(1))) return;
  }
}
