import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import type { Tables } from "@/lib/server/platform/db/generated/tables";
import { inChunks, type Pace } from "@/lib/server/platform/db/in-chunks";
import { build } from "@/lib/server/platform/db/kysely/build";
import { jsonRows } from "@/lib/server/platform/db/kysely/json-rows";
import { updateRows } from "@/lib/server/platform/db/kysely/row-statements";
import { deleteRows, equals, isBefore } from "@/lib/server/platform/db/queries/retention/delete-rows";
import { keepUsageOfThread } from "@/lib/server/platform/db/queries/usage/period-runs";
import { toIds } from "@/lib/server/platform/db/rows";

/** Deletes a run's events in chunks. */
export function deleteEventsOfRun(database: Database, runId: string, pace: Pace): Promise<number> {
  const ofRun = build.selectFrom("run_event").select("seq").where("runId", "=", runId).orderBy("seq");
  const deleted = build.deleteFrom("run_event").where("runId", "=", runId).returning("seq");
  return inChunks(
    async (limit) => (await database.execute(deleted.where("seq", "in", ofRun.limit(limit)))).length,
    pace,
  );
}

/**
 * Drafts that ended before `before`; the last one of each agent stays, because the next draft's number continues from
 * it.
 */
export function deleteDraftsBefore(database: Database, before: Date, pace: Pace): Promise<number> {
  const later = build
    .selectFrom("agent_draft as n")
    .select("n.revision")
    .whereRef("n.agentId", "=", sql.ref("agent_draft.agentId"))
    .whereRef("n.revision", ">", sql.ref("agent_draft.revision"));
  const where = sql<SqlBool>`${isBefore("endedAt", before)} and exists ${later}`;
  return deleteRows(database, { table: "agent_draft", key: ["agentId", "revision"], where }, pace);
}

interface RunOfThread {
  readonly id: string;
  readonly traceId: string;
}

/** Deletes a thread with everything that belongs to it, including its subagents' threads; traces stay. */
export async function purgeThread(database: Database, threadId: string, pace: Pace): Promise<void> {
  const children = build.selectFrom("thread").select("id").where("parentThreadId", "=", threadId);
  for (const child of toIds(await database.execute(children))) await purgeThread(database, child, pace);
  await purgeReplays(database, threadId, pace);
  await keepUsageOfThread(database, threadId);
  for (const { id } of await selectRunsOfThread(database, threadId)) await deleteEventsOfRun(database, id, pace);
  const runs = build.selectFrom("run").select("id").where("threadId", "=", threadId);
  await deleteRows(database, { table: "approval", where: sql<SqlBool>`"runId" in ${runs}` }, pace);
  for (const table of ["message", "transcript_message", "undo", "run"] as const) {
    await deleteRows(database, { table, where: equals("threadId", threadId) }, pace);
  }
  await purgeWorkspaces(database, "threadId", threadId, pace);
  await database.execute(build.deleteFrom("thread").where("id", "=", threadId));
}

/** The replays of the thread's runs contain what was said in it; the last thread of a replay takes it along. */
async function purgeReplays(database: Database, threadId: string, pace: Pace): Promise<void> {
  const replays = build.selectFrom("replay").select("id").where("threadId", "=", threadId);
  const copies = build.selectFrom("thread").select("id").where("replayId", "in", replays);
  for (const copy of toIds(await database.execute(copies))) await purgeThread(database, copy, pace);
  await database.execute(build.deleteFrom("replay").where("threadId", "=", threadId));
  const own = build.selectFrom("thread").select("replayId").where("id", "=", threadId);
  const others = build
    .selectFrom("thread as t")
    .select("t.id")
    .whereRef("t.replayId", "=", sql.ref("replay.id"))
    .where("t.id", "<>", threadId);
  await database.execute(
    build
      .deleteFrom("replay")
      .where("id", "in", own.$castTo<{ replayId: string }>())
      .where((eb) => eb.not(eb.exists(others))),
  );
}

function selectRunsOfThread(database: Database, threadId: string): Promise<RunOfThread[]> {
  return database.execute(build.selectFrom("run").select(["id", "traceId"]).where("threadId", "=", threadId));
}

/** Deletes the traces of the thread's runs. */
export async function purgeTracesOfThread(database: Database, threadId: string, pace: Pace): Promise<void> {
  for (const { traceId } of await selectRunsOfThread(database, threadId)) await deleteTrace(database, traceId, pace);
}

/** Deletes the traces of a person's runs. */
export async function purgeTracesOfOwner(database: Database, ownerId: string, pace: Pace): Promise<void> {
  await deleteTraces(database, build.selectFrom("trace").select("id").where("ownerId", "=", ownerId), pace);
}

/** Deletes the traces in turns; returns how many. */
async function deleteTraces(
  database: Database,
  traces: SelectQueryBuilder<Tables, "trace", { id: string }>,
  pace: Pace,
): Promise<number> {
  for (let total = 0; ; ) {
    const ids = toIds(await database.execute(traces.limit(TRACES_PER_TURN)));
    for (const id of ids) await deleteTrace(database, id, pace);
    total += ids.length;
    if (ids.length < TRACES_PER_TURN || !(await pace.rest(1))) return total;
  }
}

interface RunWithInput {
  readonly id: string;
  readonly threadId: string;
  readonly input: string;
}

/** Up to `limit` of the person's runs after `afterId`, by id: those in threads that somebody else started. */
export function selectRunsInOthersThreads(
  database: Database,
  ownerId: string,
  { afterId, limit }: { readonly afterId: string; readonly limit: number },
): Promise<RunWithInput[]> {
  return database.execute(
    build
      .selectFrom("run as r")
      .innerJoin("thread as t", "t.id", "r.threadId")
      .select(["r.id", "r.threadId", "r.input"])
      .where("r.ownerId", "=", ownerId)
      .where("t.ownerId", "<>", ownerId)
      .where("r.id", ">", afterId)
      .orderBy("r.id")
      .limit(limit),
  );
}

/** Replaces what a person wrote to a run with `text`, wherever it is stored, in one transaction. */
export async function replaceInputOfRun(
  database: Database,
  { id, threadId }: Pick<RunWithInput, "id" | "threadId">,
  { text, parts, input }: { readonly text: string; readonly parts: string; readonly input: string },
): Promise<void> {
  const ofPerson = { runId: id, role: "user" };
  await database.runAll([
    updateRows("run", { id }, { input }),
    updateRows("transcript_message", ofPerson, { text, parts }),
    updateRows("message", ofPerson, { content: text, images: null, bodyHash: null }),
    build.deleteFrom("run_event").where("runId", "=", id).compile(),
    // A shared copy of the thread contains the text too.
    build.deleteFrom("share").where("threadId", "=", threadId).compile(),
  ]);
}

/** Deletes the rows of files that belong to one person alone; a person's text in shared memory stays. */
export function purgeWorkspacesOfOwner(database: Database, ownerId: string, pace: Pace): Promise<void> {
  return purgeWorkspaces(database, "ownerId", ownerId, pace);
}

/** Deletes the rows of a project's files, including its memory. */
export function purgeWorkspacesOfProject(database: Database, projectId: string, pace: Pace): Promise<void> {
  return purgeWorkspaces(database, "projectId", projectId, pace);
}

async function purgeWorkspaces(
  database: Database,
  column: "threadId" | "ownerId" | "projectId",
  id: string,
  pace: Pace,
): Promise<void> {
  const workspaces = await database.execute(build.selectFrom("workspace").select("id").where(column, "=", id));
  for (const workspaceId of toIds(workspaces)) {
    const where = equals("workspaceId", workspaceId);
    for (const table of ["file_version", "memory_version"] as const) await deleteRows(database, { table, where }, pace);
    await deleteRows(database, { table: "workspace_file", key: ["workspaceId", "path"], where }, pace);
    await database.execute(build.deleteFrom("workspace").where("id", "=", workspaceId));
  }
}

/** The tables whose rows are deleted with the trace that their column `traceId` names. */
export const TABLES_OF_TRACES = ["span", "call", "run_step"] as const;

const KEYS: Partial<Record<(typeof TABLES_OF_TRACES)[number], readonly string[]>> = {
  call: ["runId", "toolCallId"],
  run_step: ["runId", "step"],
};

async function deleteTrace(database: Database, traceId: string, pace: Pace): Promise<void> {
  for (const table of TABLES_OF_TRACES) {
    const { [table]: key = ["id"] } = KEYS;
    await deleteRows(database, { table, key, where: equals("traceId", traceId) }, pace);
  }
  await database.execute(build.deleteFrom("trace").where("id", "=", traceId));
}

/** A deleted thread, with what its file location is named after. */
export interface DeletedThread {
  readonly id: string;
  readonly agentId: string;
  readonly ownerId: string;
}

export interface DeletedThreads {
  readonly deletedBefore: Date;
  /** Default: every owner. */
  readonly ownerId?: string;
}

/**
 * Up to `limit` threads that were deleted before then and have no open runs. From now on they can't be found by the
 * client's id, so a client that uses it again begins a new thread.
 */
export function claimDeletedThreads(
  database: Database,
  { deletedBefore, ownerId }: DeletedThreads,
  limit: number,
): Promise<DeletedThread[]> {
  const deleted = build
    .selectFrom("thread as t")
    .select("t.id")
    .where("t.deletedAt", "is not", null)
    .where("t.deletedAt", "<", sqlTimestamp(deletedBefore))
    .$if(ownerId !== undefined, (threads) => threads.where("t.ownerId", "=", ownerId ?? ""))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom("run as r").select("r.id").whereRef("r.threadId", "=", "t.id").where("r.endedAt", "is", null),
        ),
      ),
    )
    .limit(limit);
  return database.execute(
    build
      .updateTable("thread")
      .set({ clientId: sql<string>`'purged ' || "id"` })
      .where("id", "in", deleted)
      .returning(["id", "agentId", "ownerId"]),
  );
}

const TRACES_PER_TURN = 100;

/** The agents that a rule applies to: some, or all but some. */
export type SomeAgents = { readonly only: readonly string[] } | { readonly except: readonly string[] };
const ALL_AGENTS: SomeAgents = { except: [] };

function oldTraces(startedBefore: Date, agents: SomeAgents) {
  const open = build
    .selectFrom("run as r")
    .select("r.id")
    .whereRef("r.id", "=", sql.ref("trace.runId"))
    .where("r.endedAt", "is", null);
  const old = build
    .selectFrom("trace")
    .where("startedAt", "<", sqlTimestamp(startedBefore))
    .where((eb) => eb.not(eb.exists(open)));
  if ("only" in agents) return old.where(isAmong("agentId", agents.only));
  return agents.except.length === 0 ? old : old.where("agentId", "not in", agents.except);
}

/** Of no values: false. */
function isAmong(column: string, values: readonly string[]): Expression<SqlBool> {
  return values.length === 0 ? sql.lit(false) : sql<SqlBool>`${sql.ref(column)} in (${sql.join(values)})`;
}

/** How many traces `deleteTracesBefore` would delete. */
export async function countTracesBefore(database: Database, startedBefore: Date, agents: SomeAgents): Promise<number> {
  const [row] = await database.execute(
    oldTraces(startedBefore, agents).select((eb) => eb.fn.countAll<number>().as("count")),
  );
  return row?.count ?? 0;
}

/** Deletes traces that began before then, except those of open runs; returns how many. */
export async function deleteTracesBefore(
  database: Database,
  startedBefore: Date,
  pace: Pace,
  agents: SomeAgents = ALL_AGENTS,
): Promise<number> {
  return deleteTraces(database, oldTraces(startedBefore, agents).select("id").orderBy("startedAt"), pace);
}

/** Deletes only entries of the chain up to `number`; entries not yet in the chain stay. Returns how many. */
export function deleteAuditBefore(
  database: Database,
  createdBefore: Date,
  number: number,
  pace: Pace,
): Promise<number> {
  const where = sql<SqlBool>`${isBefore("createdAt", createdBefore)} and "number" <= ${number}`;
  return deleteRows(database, { table: "audit_entry", where }, pace);
}

/** When the oldest trace began; null if there are none. */
export async function selectOldestTrace(database: Database): Promise<Date | null> {
  const [row] = await database.execute(
    build.selectFrom("trace").select("startedAt").orderBy("startedAt").orderBy("id").limit(1),
  );
  return row ? new Date(row.startedAt) : null;
}

/** The tables whose column `blobHash` names blobs; spans also name them, inside their attributes. */
export const TABLES_WITH_BLOBS = [
  "workspace_file",
  "file_version",
  "memory_version",
  "skill_file",
  "thread_image",
] as const;

/**
 * Deletes blobs that no row names and that were last stored before then; by that time no remaining span names them
 * either. Returns how many.
 */
export async function deleteUnusedBlobs(database: Database, storedBefore: Date, pace: Pace): Promise<number> {
  let cursor = { createdAt: sqlTimestamp(new Date(0)), hash: "" };
  let deleted = 0;
  const storedUntil = sqlTimestamp(storedBefore);
  const old = build.selectFrom("blob").select(["hash", "createdAt"]).where("createdAt", "<", storedUntil);
  const unnamed = TABLES_WITH_BLOBS.map((table) => {
    const named = build.selectFrom(table).select("blobHash").whereRef("blobHash", "=", sql.ref("blob.hash"));
    return sql<SqlBool>`not exists ${named}`;
  });
  await inChunks(async (limit) => {
    const { createdAt, hash } = cursor;
    const page = await database.execute(
      old
        .where((eb) =>
          eb.or([eb("createdAt", ">", createdAt), eb.and([eb("createdAt", "=", createdAt), eb("hash", ">", hash)])]),
        )
        .orderBy("createdAt")
        .orderBy("hash")
        .limit(limit),
    );
    cursor = page.at(-1) ?? cursor;
    const wanted = jsonRows(database.dialect, { hash: "text" }, page).$castTo<{ hash: string }>();
    const unused = build
      .deleteFrom("blob")
      .where("hash", "in", build.selectFrom(wanted.as("w")).select("w.hash"))
      .where("createdAt", "<", storedUntil)
      .where((eb) => eb.and(unnamed))
      .returning("hash");
    deleted += (await database.execute(unused)).length;
    return page.length;
  }, pace);
  return deleted;
}
