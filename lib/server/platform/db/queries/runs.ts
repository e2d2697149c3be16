import { type Selectable, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlJson } from "@/lib/server/platform/db/dialect";
import type { Tables } from "@/lib/server/platform/db/generated/tables";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, hotStatements, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { boundJsonRows, idRows } from "@/lib/server/platform/db/kysely/json-rows";
import { type Changes, insertRow, type NewRow, updateRows } from "@/lib/server/platform/db/kysely/row-statements";
import { toIds, withDates } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

/** A run with every column, as Prisma returns it. */
export type RunRow = NonNullable<Awaited<ReturnType<Database["run"]["findUnique"]>>>;

export const QUEUED = sql.lit("queued");
export const RUNNING = sql.lit("running");
export const WAITING = sql.lit("waiting");

const openRunsOfOwner = hotStatement((value: PlaceFor<{ ownerId: string }>) =>
  build
    .selectFrom("run")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("endedAt", "is", null)
    .where("status", "in", [QUEUED, RUNNING, WAITING])
    .where("heldAt", "is", null)
    .where("ownerId", "=", value("ownerId")),
);

/** How many runs of the user have not ended; held ones do not count. */
export async function countOpenRuns(database: Database, ownerId: string): Promise<number> {
  const [row] = await database.execute(openRunsOfOwner({ ownerId }));
  return row?.count ?? 0;
}

const oneRun = hotStatement((value: PlaceFor<{ runId: string }>) =>
  build.selectFrom("run").selectAll().where("id", "=", value("runId")),
);

/** The run's current row; null if there is none. The caller has checked who may see it. */
export async function selectRun(database: Database, runId: string): Promise<RunRow | null> {
  const [run] = readRuns(await database.execute(oneRun({ runId })));
  return run ?? null;
}

/** Every column as Prisma returns it: a test compares the two. */
export function readRuns(rows: readonly Selectable<Tables["run"]>[]): RunRow[] {
  return withDates(rows, "createdAt", "startedAt", "endedAt", "waitingSince", "cancelRequestedAt", "heldAt");
}

/** What the process that executes a run checks periodically. */
export type WatchedRun = Pick<
  RunRow,
  "id" | "status" | "leaseOwner" | "epoch" | "cancelRequestedAt" | "cancelledBy" | "unreadSteers"
>;

const watchedRuns = hotStatements((value: PlaceFor<{ runs: string }>, dialect) =>
  build
    .selectFrom("run as r")
    .innerJoin(boundJsonRows(dialect, { id: "text" }, value("runs")).as("h"), "h.id", "r.id")
    .select([
      ...(["r.id", "r.status", "r.leaseOwner", "r.epoch", "r.cancelRequestedAt"] as const),
      ...(["r.cancelledBy", "r.unreadSteers"] as const),
    ]),
);

export async function selectWatchedRuns(database: Database, runIds: readonly string[]): Promise<WatchedRun[]> {
  const runs = sqlJson(runIds.map((id) => ({ id })));
  return withDates(await database.execute(watchedRuns(database.dialect, { runs })), "cancelRequestedAt");
}

/** Whether a run waits, and what for. */
export type RunState = Pick<RunRow, "id" | "parentRunId" | "status" | "waitingFor">;

const STATE = ["id", "parentRunId", "status", "waitingFor"] as const satisfies readonly (keyof RunState)[];

/** Null if there is no such run. */
export async function selectRunState(database: Database, runId: string): Promise<RunState | null> {
  const [run] = await database.execute(build.selectFrom("run").select(STATE).where("id", "=", runId));
  return run ?? null;
}

/** The run and the open runs of its tree, except background runs. */
export function selectOpenRunsOfTree(database: Database, runId: string): Promise<RunState[]> {
  const root = build
    .selectFrom("run as r")
    .select((eb) => eb.fn.coalesce("r.rootRunId", "r.id").as("id"))
    .where("r.id", "=", runId);
  return database.execute(
    build
      .selectFrom("run")
      .select(STATE)
      .where("endedAt", "is", null)
      .where((eb) =>
        eb.or([eb("id", "=", runId), eb.and([eb("rootRunId", "=", root), eb("isBackground", "=", sql.lit(false))])]),
      ),
  );
}

/** The thread's waiting runs, except those of subagents. */
export function selectWaitingRuns(
  database: Database,
  threadId: string,
): Promise<(RunState & Pick<RunRow, "ownerId">)[]> {
  return database.execute(
    build
      .selectFrom("run")
      .select([...STATE, "ownerId"])
      .where("threadId", "=", threadId)
      .where("status", "=", WAITING)
      .where("parentRunId", "is", null),
  );
}

const parentsToWake = hotStatement(() =>
  build
    .selectFrom("run as p")
    .select("p.id")
    .where("p.endedAt", "is", null)
    .where("p.status", "=", WAITING)
    .where("p.waitingFor", "=", sql.lit("child"))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("run as c")
            .select("c.id")
            .whereRef("c.parentRunId", "=", "p.id")
            .where("c.isBackground", "=", sql.lit(false))
            .where("c.endedAt", "is", null),
        ),
      ),
    ),
);

/** Ids of the runs that only wait for child runs, all of which have ended. */
export async function selectParentsToWake(database: Database): Promise<string[]> {
  return toIds(await database.execute(parentsToWake({})));
}

/** Fails the list of statements if the run no longer waits for its children alone. */
export function requeueParentStatement(
  { id, segment }: Pick<RunRow, "id" | "segment">,
  columns: Changes<"run">,
): SqlStatement {
  return { ...updateRows("run", { id, segment, status: "waiting", waitingFor: "child" }, columns), mustChange: true };
}

/** Ids of the child runs that ended after their parent and have not been counted. */
export async function selectLateChildren(database: Database): Promise<string[]> {
  const rows = await database.execute(
    build
      .selectFrom("run as c")
      .innerJoin("run as p", "p.id", "c.parentRunId")
      .select("c.id")
      .where("c.parentRunId", "is not", null)
      .where((eb) => eb.not("c.isReported"))
      .where("c.endedAt", "is not", null)
      .where("p.endedAt", "is not", null),
  );
  return toIds(rows);
}

/** The id of each thread's latest run, by the thread's id; held runs and those of subagents are excluded. */
export async function selectLatestRunIds(
  database: Database,
  threadIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await database.execute(
    build
      .selectFrom(idRows(database.dialect, threadIds).as("t"))
      .select((eb) => [
        eb.ref("t.id").as("threadId"),
        eb
          .selectFrom("run as r")
          .select("r.id")
          .whereRef("r.threadId", "=", "t.id")
          .where("r.parentRunId", "is", null)
          .where("r.heldAt", "is", null)
          .orderBy("r.position", "desc")
          .limit(1)
          .as("runId"),
      ]),
  );
  return new Map(rows.flatMap(({ threadId, runId }) => (runId === null ? [] : [[threadId, runId] as const])));
}

export function insertRunStatement(run: NewRow<"run">): SqlStatement {
  return insertRow("run", run);
}

type Waiting = Pick<RunRow, "id" | "epoch" | "segment">;

/** After decisions. Fails the list of statements if the run no longer waits. */
export function decideRunStatement({ id, epoch, segment }: Waiting, columns: Changes<"run">): SqlStatement {
  return { ...updateRows("run", { id, epoch, segment, status: "waiting" }, columns), mustChange: true };
}

/** Ends the segment of a run that waits from now on. Fails the list of statements if it is no longer in that state. */
export function pauseRunStatement(
  { id, status, epoch }: Pick<RunRow, "id" | "status" | "epoch">,
  columns: Changes<"run">,
): SqlStatement {
  const paused = { ...columns, status: "waiting", leaseOwner: null, lostOwners: null };
  return { ...updateRows("run", { id, status, epoch }, paused), mustChange: true };
}

/**
 * Fails the list of statements if the run is no longer in that state, or if it would complete without having read its
 * steers (D-89).
 */
export function endRunStatement(
  { id, status, epoch }: Pick<RunRow, "id" | "status" | "epoch">,
  columns: Changes<"run">,
): SqlStatement {
  const released = { waitingFor: null, waitingSince: null, leaseOwner: null, heldAt: null };
  const open = { id, status, epoch };
  const where = columns.status === "completed" ? { ...open, unreadSteers: 0 } : open;
  return { ...updateRows("run", where, { ...columns, ...released }), mustChange: true };
}

/** Marks the child run as included in its parent's figures. */
export function markReportedStatement(runId: string): SqlStatement {
  return updateRows("run", { id: runId }, { isReported: true });
}
