import { type Selectable, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import type { Tables } from "@/lib/server/platform/db/generated/tables";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { updateRows } from "@/lib/server/platform/db/kysely/row-statements";
import { QUEUED, RUNNING, type RunRow } from "@/lib/server/platform/db/queries/runs";
import { withDates } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

/** A run that no process has claimed yet: its message can still be changed. With `heldAt`, no process may claim it. */
export type QueuedMessageRow = Pick<
  RunRow,
  | "id"
  | "ownerId"
  | "agentId"
  | "agentVersionId"
  | "position"
  | "afterRunId"
  | "regeneratesRunId"
  | "input"
  | "steersRunId"
  | "heldAt"
  | "modelOverride"
  | "effort"
  | "createdAt"
>;

const COLUMNS = [
  "id",
  "ownerId",
  "agentId",
  "agentVersionId",
  "position",
  "afterRunId",
  "regeneratesRunId",
  "input",
  "steersRunId",
  "heldAt",
  "modelOverride",
  "effort",
  "createdAt",
] as const satisfies readonly (keyof QueuedMessageRow)[];

/** Queued messages `r`. */
function queuedRuns() {
  return build
    .selectFrom("run as r")
    .select(COLUMNS.map((column) => `r.${column}` as const))
    .where("r.endedAt", "is", null)
    .where("r.status", "=", QUEUED)
    .where("r.epoch", "=", sql.lit(0))
    .orderBy("r.position")
    .orderBy("r.id");
}

/** A change of queued messages. */
function queuedUpdate() {
  return build
    .updateTable("run")
    .where("endedAt", "is", null)
    .where("status", "=", QUEUED)
    .where("epoch", "=", sql.lit(0));
}

/** The thread's queued messages in order, held ones included. */
export async function selectQueuedMessages(database: Database, threadId: string): Promise<QueuedMessageRow[]> {
  const rows = await database.execute(
    queuedRuns().where("r.threadId", "=", threadId).where("r.parentRunId", "is", null),
  );
  return withDates(rows, "createdAt", "heldAt");
}

type OfThread = Pick<RunRow, "threadId">;

const openRun = hotStatement((value: PlaceFor<OfThread>) =>
  build
    .selectFrom("run")
    .select("id")
    .where("threadId", "=", value("threadId"))
    .where("endedAt", "is", null)
    .where("heldAt", "is", null)
    .limit(sql.lit(1)),
);

/** Whether the thread has a run that has not ended, except those of subagents and held ones. */
export async function hasOpenRun(database: Database, threadId: string): Promise<boolean> {
  return (await database.execute(openRun({ threadId }))).length > 0;
}

/** A run that has begun and not ended. */
export type SteerableRun = Pick<RunRow, "id" | "ownerId" | "status" | "traceId" | "assistantMessageId">;

const steerable = hotStatement((value: PlaceFor<OfThread>) =>
  build
    .selectFrom("run")
    .select(["id", "ownerId", "status", "traceId", "assistantMessageId"])
    .where("threadId", "=", value("threadId"))
    .where("endedAt", "is", null)
    .where("parentRunId", "is", null)
    .where("cancelRequestedAt", "is", null)
    .where((eb) => eb.or([eb("status", "<>", QUEUED), eb("epoch", ">", sql.lit(0))]))
    .limit(sql.lit(1)),
);

/**
 * The run of the thread that a steer would reach: the active one, unless it was asked to stop. Null if there is none.
 */
export async function selectSteerable(database: Database, threadId: string): Promise<SteerableRun | null> {
  const [run] = await database.execute(steerable({ threadId }));
  return run ?? null;
}

/** Adds or removes one unread steer; when adding, the list fails once the run has ended. */
export function countSteerStatement(runId: string, by: 1 | -1): SqlStatement {
  const counted = build
    .updateTable("run")
    .set((eb) => ({ unreadSteers: eb("unreadSteers", "+", by) }))
    .where("id", "=", runId)
    .where("endedAt", "is", null)
    .where((eb) => eb(eb("unreadSteers", "+", by), ">=", 0));
  return { ...counted.compile(), mustChange: by === 1 };
}

type Held = Pick<RunRow, "id" | "epoch" | "leaseOwner">;

type QueuedColumns = Pick<Selectable<Tables["run"]>, (typeof COLUMNS)[number]>;

const unreadSteers = hotStatement((value: PlaceFor<Pick<RunRow, "id" | "threadId">>) =>
  build
    .selectFrom("run as t")
    .leftJoin("run as r", (join) =>
      join
        .onRef("r.steersRunId", "=", "t.id")
        .on("r.threadId", "=", value("threadId"))
        .on("r.endedAt", "is", null)
        .on("r.status", "=", QUEUED)
        .on("r.epoch", "=", sql.lit(0)),
    )
    .select("t.unreadSteers as counted")
    .select(COLUMNS.map((column) => `r.${column}` as const))
    .where("t.id", "=", value("id"))
    .orderBy("r.position")
    .orderBy("r.id"),
);

/** The run's unread steers, and the count on its row. */
export async function selectUnreadSteers(
  database: Database,
  { id, threadId }: Pick<RunRow, "id" | "threadId">,
): Promise<{ readonly counted: number; readonly steers: readonly QueuedMessageRow[] }> {
  const rows = await database.execute(unreadSteers({ id, threadId }));
  const found = rows.filter((row) => row.id !== null) as QueuedColumns[];
  return { counted: rows[0]?.counted ?? 0, steers: withDates(found, "createdAt", "heldAt") };
}

const readSteers = hotStatement((value: PlaceFor<Held & { count: number }>) =>
  build
    .updateTable("run")
    .set((eb) => ({
      unreadSteers: eb
        .case()
        .when("unreadSteers", ">", value("count"))
        .then(eb("unreadSteers", "-", value("count")))
        .else(eb.lit(0))
        .end(),
    }))
    .where("id", "=", value("id"))
    .where("epoch", "=", value("epoch"))
    .where("leaseOwner", "=", value("leaseOwner"))
    .where("status", "=", RUNNING),
);

/** Fails the list if the run is no longer held at this epoch. */
export function readSteersStatement({ id, epoch, leaseOwner }: Held, count: number): SqlStatement {
  return { ...readSteers({ id, epoch, leaseOwner, count }), mustChange: true };
}

/** Corrects the count if a steer was removed without counting it down; does nothing if another has arrived since. */
export async function forgetSteers(database: Database, runId: string, counted: number): Promise<void> {
  await database.execute(updateRows("run", { id: runId, unreadSteers: counted }, { unreadSteers: 0 }));
}

/** Removes a message from the queue; fails the list if it was changed or begun in the meantime. */
export function deleteQueuedStatement({ id, input }: Pick<QueuedMessageRow, "id" | "input">): SqlStatement {
  const removed = build
    .deleteFrom("run")
    .where("id", "=", id)
    .where("input", "=", input)
    .where("endedAt", "is", null)
    .where("status", "=", QUEUED)
    .where("epoch", "=", sql.lit(0));
  return { ...removed.compile(), mustChange: true };
}

type Change = Partial<Pick<QueuedMessageRow, "input" | "steersRunId" | "position" | "afterRunId">>;

/** Fails the list if the message was changed, moved or begun in the meantime. */
export function changeQueuedStatement(row: QueuedMessageRow, change: Change): SqlStatement {
  const { input, steersRunId, position, afterRunId } = { ...row, ...change };
  const changed = queuedUpdate()
    .set({ input, steersRunId, position, afterRunId })
    .where("id", "=", row.id)
    .where("input", "=", row.input)
    .where("position", "=", row.position);
  return { ...changed.compile(), mustChange: true };
}

/** Makes whatever follows a message that leaves the queue follow `afterRunId` instead. */
export function skipQueuedStatements(
  threadId: string,
  { id, afterRunId }: Pick<QueuedMessageRow, "id" | "afterRunId">,
): SqlStatement[] {
  const followers = build.updateTable("run").set({ afterRunId }).where("threadId", "=", threadId);
  return [
    followers.where("afterRunId", "=", id).where("endedAt", "is", null).compile(),
    updateRows("thread", { id: threadId, leafRunId: id }, { leafRunId: afterRunId }),
  ];
}

type Holding = Pick<QueuedMessageRow, "id" | "input" | "afterRunId">;

/** Holds a queued message, or one that steers; fails the list if it was changed, held or begun in the meantime. */
export function holdStatement({ id, input, afterRunId }: Holding, heldAt: Date): SqlStatement {
  const held = queuedUpdate()
    .set({ heldAt, afterRunId, steersRunId: null })
    .where("id", "=", id)
    .where("input", "=", input)
    .where("heldAt", "is", null);
  return { ...held.compile(), mustChange: true };
}

type Released = Pick<RunRow, "id" | "position" | "afterRunId" | "projectId" | "fileScope">;

/** Sends a held message; fails the list if it was sent or removed in the meantime. */
export function releaseStatement({ id, position, afterRunId, projectId, fileScope }: Released): SqlStatement {
  const released = queuedUpdate()
    .set({ heldAt: null, position, afterRunId, projectId, fileScope })
    .where("id", "=", id)
    .where("heldAt", "is not", null);
  return { ...released.compile(), mustChange: true };
}

/** A place in the queue of a thread, for the run `first` that follows the run `behind`. */
interface NewPlace {
  readonly position: number;
  readonly behind: string;
  readonly first: string;
}

/** Moves everything that is queued behind a place, and makes what followed the run `behind` follow `first`. */
export function makeRoomStatements(threadId: string, { position, behind, first }: NewPlace): SqlStatement[] {
  const ofThread = queuedUpdate().where("threadId", "=", threadId);
  return [
    ofThread
      .set((eb) => ({ position: eb("position", "+", eb.lit(1)) }))
      .where("position", ">=", position)
      .compile(),
    ofThread.set({ afterRunId: first }).where("afterRunId", "=", behind).compile(),
  ];
}

interface Handed {
  readonly agentId: string;
  readonly versionId: string;
  readonly input: string;
}

/** Gives a queued message to another agent, with that agent's model; does nothing once it has begun. */
export function handQueuedStatement(
  { id, input: before }: Pick<QueuedMessageRow, "id" | "input">,
  { agentId, versionId, input }: Handed,
): SqlStatement {
  return queuedUpdate()
    .set({ agentId, agentVersionId: versionId, input, modelOverride: null, effort: null })
    .where("id", "=", id)
    .where("input", "=", before)
    .compile();
}

/** Makes the thread show the branch that ends with this run. */
export function setLeafStatement(threadId: string, leafRunId: string | null): SqlStatement {
  return updateRows("thread", { id: threadId }, { leafRunId });
}

/**
 * Stores the input of a claimed run whose message has its place in the transcript; fails the list if the run is no
 * longer held.
 */
export function placeQueuedStatement({ id, epoch, leaseOwner }: Held, input: string): SqlStatement {
  const held = { id, epoch, leaseOwner, status: "running" };
  return { ...updateRows("run", held, { input, steersRunId: null }), mustChange: true };
}

/** The next segment of a run that must not complete before it has read its steers. */
export function requeueSteeredStatement({ id, epoch, leaseOwner }: Held): SqlStatement {
  const requeued = build
    .updateTable("run")
    .set((eb) => ({ status: QUEUED, leaseOwner: null, lostOwners: null, segment: eb("segment", "+", eb.lit(1)) }))
    .where("id", "=", id)
    .where("epoch", "=", epoch)
    .where("leaseOwner", "=", leaseOwner)
    .where("status", "=", RUNNING)
    .where("unreadSteers", ">", 0);
  return { ...requeued.compile(), mustChange: true };
}
