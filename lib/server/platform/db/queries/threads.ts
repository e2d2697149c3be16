import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Reader } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import type { Tables } from "@/lib/server/platform/db/generated/tables";
import { inChunks, type Pace } from "@/lib/server/platform/db/in-chunks";
import { build } from "@/lib/server/platform/db/kysely/build";
import { clock } from "@/lib/server/platform/db/kysely/clock";
import { hotStatement, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { type Changes, insertRow, type NewRow, updateRows } from "@/lib/server/platform/db/kysely/row-statements";
import { toIds } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { purgeThread } from "./retention/purge";
import { homeInReach } from "./search/threads-in-reach";

/** The id by which clients identify the thread (D-58); for a subagent's thread, that of the thread it works for. */
export async function selectClientId(database: Database, threadId: string): Promise<string | null> {
  const [row] = await database.execute(
    build
      .selectFrom("thread as t")
      .leftJoin("thread as p", "p.id", "t.parentThreadId")
      .select((eb) => eb.fn.coalesce("p.clientId", "t.clientId").as("clientId"))
      .where("t.id", "=", threadId),
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
  const status = build
    .selectFrom("run as r")
    .select("r.status")
    .whereRef("r.threadId", "=", sql.ref("t.id"))
    .where("r.parentRunId", "is", null)
    .where("r.heldAt", "is", null)
    .orderBy("r.position", "desc")
    .limit(1);
  const listed = build
    .selectFrom("thread as t")
    .select(["t.ownerId", status.as("status")])
    .where("t.projectId", "=", projectId)
    .where("t.deletedAt", "is", null)
    .where("t.archivedAt", "is", null)
    .where("t.ephemeral", "=", false)
    .where("t.parentThreadId", "is", null)
    .where("t.boardId", "is", null)
    .where(homeInReach(reach, "t"));
  const [row] = await database.execute(
    build
      .selectFrom(listed.as("l"))
      .select((eb) => [
        eb.fn.countAll<number>().as("all"),
        countOf(eb("l.status", "=", "waiting")).as("waiting"),
        countOf(eb("l.status", "in", ["queued", "running"])).as("running"),
        countOf(eb("l.ownerId", "=", ownerId)).as("mine"),
      ]),
  );
  return row ?? { all: 0, waiting: 0, running: 0, mine: 0 };
}

/** How many rows fulfil a condition. */
function countOf(condition: Expression<SqlBool>) {
  return sql<number>`count(case when ${condition} then 1 end)`;
}

/** The cost of the root runs of the project's threads since then, and how many of them have no known price. */
export async function sumProjectCost(
  database: Database,
  projectId: string,
  since: Date,
): Promise<{ usd: number; unpriced: number }> {
  const [row] = await database.execute(
    build
      .selectFrom("thread as t")
      .innerJoin("run as r", "r.threadId", "t.id")
      .select((eb) => [
        eb.fn.coalesce(eb.fn.sum<number>("r.costUsd"), eb.lit(0)).as("usd"),
        countOf(
          eb.and([eb("r.costUsd", "is", null), eb("r.endedAt", "is not", null), eb("r.steps", ">", eb.lit(0))]),
        ).as("unpriced"),
      ])
      .where("t.projectId", "=", projectId)
      .where("r.projectId", "=", projectId)
      .where("r.depth", "=", sql.lit(0))
      .where("r.createdAt", ">=", sqlTimestamp(since)),
  );
  return row ?? { usd: 0, unpriced: 0 };
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
  const { dialect } = database;
  const claimed = await database.execute(
    build
      .updateTable("thread")
      .set({ compactionOwner: owner, compactionUntil: clock(dialect, holdMs) })
      .where("id", "=", threadId)
      .where((eb) => eb.or([eb("compactionUntil", "is", null), eb("compactionUntil", "<", clock(dialect))]))
      .returning("id"),
  );
  return claimed.length > 0;
}

export async function renewThread(database: Database, { threadId, owner, holdMs }: ThreadLease): Promise<void> {
  await database.execute(
    build
      .updateTable("thread")
      .set({ compactionUntil: clock(database.dialect, holdMs) })
      .where("id", "=", threadId)
      .where("compactionOwner", "=", owner),
  );
}

const NO_LEASE = { compactionOwner: null, compactionUntil: null };

/** Does nothing if the lease has expired and another holder has it. */
export async function releaseThread(database: Database, threadId: string, owner: string): Promise<void> {
  await database.execute(updateRows("thread", { id: threadId, compactionOwner: owner }, NO_LEASE));
}

/** Releases all threads, or those whose lease has expired; returns their ids. */
export async function releaseThreads(database: Database, whose: "all" | "expired"): Promise<string[]> {
  const held = build.updateTable("thread").set(NO_LEASE).where("compactionUntil", "is not", null).returning("id");
  const released = whose === "all" ? held : held.where("compactionUntil", "<", clock(database.dialect));
  return toIds(await database.execute(released));
}

interface Touch {
  readonly title: string | null;
  readonly updatedAt: Date;
  readonly leafRunId: string | null;
  readonly isBranched: boolean;
}

const touchedThread = hotStatement((value: PlaceFor<Touch & { threadId: string }>) =>
  build
    .updateTable("thread")
    .set((eb) => ({
      title: eb.fn.coalesce("title", value("title")),
      updatedAt: value("updatedAt"),
      leafRunId: value("leafRunId"),
      isBranched: value("isBranched"),
    }))
    .where("id", "=", value("threadId")),
);

/** The thread got a run, the new end of the branch that it shows; a thread without a title gets this one. */
export function touchThreadStatement(threadId: string, touch: Touch): SqlStatement {
  return touchedThread({ ...touch, threadId });
}

export function insertThreadStatement(thread: NewRow<"thread">): SqlStatement {
  return insertRow("thread", thread);
}

export function updateThreadStatement(threadId: string, columns: Changes<"thread">): SqlStatement {
  return updateRows("thread", { id: threadId }, columns);
}

/** Threads without open runs, except held ones. */
function idleThreads() {
  const open = build
    .selectFrom("run as r")
    .select("r.id")
    .whereRef("r.threadId", "=", sql.ref("thread.id"))
    .where("r.endedAt", "is", null)
    .where("r.heldAt", "is", null);
  return build.selectFrom("thread").where((eb) => eb.not(eb.exists(open)));
}

/** Threads created for one request and not used since then. */
export function deleteEphemeralThreads(database: Database, unusedSince: Date, pace: Pace): Promise<void> {
  const unused = idleThreads()
    .where("ephemeral", "=", sql.lit(true))
    .where("isTest", "=", sql.lit(false))
    .where("replayId", "is", null)
    .where("updatedAt", "<", sqlTimestamp(unusedSince));
  return purgeThreads(database, unused.select("id"), pace);
}

/** Deletes threads of tests and replays not used since then, as a person would: they are purged in time. */
export async function retireTrialThreads(database: Database, unusedSince: Date, now: Date): Promise<void> {
  const unused = idleThreads()
    .select("id")
    .where((eb) => eb.or([eb("isTest", "=", true), eb("replayId", "is not", null)]))
    .where("deletedAt", "is", null)
    .where("updatedAt", "<", sqlTimestamp(unusedSince));
  await database.execute(build.updateTable("thread").set({ deletedAt: now }).where("id", "in", unused));
}

/** Of people, and not pinned; the threads of subagents go with their parent's. */
function unusedThreads(unusedSince: Date) {
  return idleThreads()
    .where("updatedAt", "<", sqlTimestamp(unusedSince))
    .where("deletedAt", "is", null)
    .where("pinned", "=", false)
    .where("parentThreadId", "is", null)
    .where("ephemeral", "=", false)
    .where("isTest", "=", false);
}

export async function countUnusedThreads(database: Database, unusedSince: Date): Promise<number> {
  const [row] = await database.execute(unusedThreads(unusedSince).select((eb) => eb.fn.countAll<number>().as("count")));
  return row?.count ?? 0;
}

/** Deletes threads that nobody has used since then, as a person would; returns how many. */
export function retireUnusedThreads(database: Database, unusedSince: Date, now: Date, pace: Pace): Promise<number> {
  const retired = build.updateTable("thread").set({ deletedAt: now }).returning("id");
  return inChunks(async (limit) => {
    const some = unusedThreads(unusedSince).select("id").limit(limit);
    return (await database.execute(retired.where("id", "in", some))).length;
  }, pace);
}

/** Threads with the agent that were not used since then, except those of its subagents. */
export function deleteUnusedThreads(database: Database, agentId: string, unusedSince: Date, pace: Pace): Promise<void> {
  const unused = idleThreads()
    .where("agentId", "=", agentId)
    .where("parentThreadId", "is", null)
    .where("updatedAt", "<", sqlTimestamp(unusedSince));
  return purgeThreads(database, unused.select("id"), pace);
}

/** Threads of subagents whose parent thread no longer exists. */
export function deleteOrphanedThreads(database: Database, pace: Pace): Promise<void> {
  const orphaned = build
    .selectFrom("thread")
    .where("parentThreadId", "is not", null)
    .where("parentThreadId", "not in", (eb) => eb.selectFrom("thread as t").select("t.id"));
  return purgeThreads(database, orphaned.select("id"), pace);
}

const THREADS_PER_TURN = 100;

async function purgeThreads(
  database: Database,
  threads: SelectQueryBuilder<Tables, "thread", { id: string }>,
  pace: Pace,
): Promise<void> {
  for (;;) {
    const some = await database.execute(threads.limit(THREADS_PER_TURN));
    for (const { id } of some) await purgeThread(database, id, pace);
    if (some.length < THREADS_PER_TURN || !(await pace.rest(1))) return;
  }
}
