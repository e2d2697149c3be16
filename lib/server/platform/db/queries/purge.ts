import type { Database } from "@/lib/server/platform/db/database";
import { type SqlValue, sqlJson } from "@/lib/server/platform/db/dialect";
import { inChunks, type Pace } from "@/lib/server/platform/db/in-chunks";
import { deleteRows } from "@/lib/server/platform/db/queries/retention/delete-rows";
import { keepUsageOfThread } from "@/lib/server/platform/db/queries/usage/period-runs";

/** Deletes a run's events in chunks. */
export function deleteEventsOfRun(database: Database, runId: string, pace: Pace): Promise<number> {
  return inChunks(async (limit) => {
    const some = `select "seq" from "run_event" where "runId" = $1 order by "seq" limit ${limit}`;
    const sql = `delete from "run_event" where "runId" = $1 and "seq" in (${some}) returning "seq"`;
    return (await database.raw(sql, [runId])).length;
  }, pace);
}

/**
 * Drafts that ended before `before`; the last one of each agent stays, because the next draft's number continues from
 * it.
 */
export function deleteDraftsBefore(database: Database, before: Date, pace: Pace): Promise<number> {
  return inChunks(async (limit) => {
    const isNotLast = `exists (select 1 from "agent_draft" n where n."agentId" = d."agentId" and n."revision" > d."revision")`;
    const some = `select d."agentId", d."revision" from "agent_draft" d where d."endedAt" < $1 and ${isNotLast} limit ${limit}`;
    const sql = `delete from "agent_draft" where ("agentId", "revision") in (${some}) returning "revision"`;
    return (await database.raw(sql, [before])).length;
  }, pace);
}

interface RunOfThread {
  readonly id: string;
  readonly traceId: string;
}

/** Deletes a thread with everything that belongs to it, including its subagents' threads; traces stay. */
export async function purgeThread(database: Database, threadId: string, pace: Pace): Promise<void> {
  for (const child of await selectIds(database, "thread", `"parentThreadId" = $1`, [threadId])) {
    await purgeThread(database, child, pace);
  }
  const ofThread = { where: `"threadId" = $1`, parameters: [threadId] };
  await keepUsageOfThread(database, threadId);
  for (const { id } of await selectRunsOfThread(database, threadId)) await deleteEventsOfRun(database, id, pace);
  const ofRuns = `"runId" in (select "id" from "run" where "threadId" = $1)`;
  await deleteRows(database, { ...ofThread, table: "approval", where: ofRuns }, pace);
  for (const table of ["message", "transcript_message", "run"]) {
    await deleteRows(database, { table, ...ofThread }, pace);
  }
  for (const workspaceId of await selectIds(database, "workspace", ofThread.where, ofThread.parameters)) {
    await purgeWorkspace(database, workspaceId, pace);
  }
  await database.raw(`delete from "thread" where "id" = $1`, [threadId]);
}

function selectRunsOfThread(database: Database, threadId: string): Promise<RunOfThread[]> {
  return database.raw<RunOfThread>(`select "id", "traceId" from "run" where "threadId" = $1`, [threadId]);
}

/** Deletes the traces of the thread's runs. */
export async function purgeTracesOfThread(database: Database, threadId: string, pace: Pace): Promise<void> {
  for (const { traceId } of await selectRunsOfThread(database, threadId)) await deleteTrace(database, traceId, pace);
}

/** Deletes the traces of a person's runs. */
export async function purgeTracesOfOwner(database: Database, ownerId: string, pace: Pace): Promise<void> {
  for (;;) {
    const ids = await selectIds(database, "trace", `"ownerId" = $1 limit ${TRACES_PER_TURN}`, [ownerId]);
    for (const id of ids) await deleteTrace(database, id, pace);
    if (ids.length < TRACES_PER_TURN || !(await pace.rest(1))) return;
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
  return database.raw<RunWithInput>(
    `select r."id", r."threadId", r."input" from "run" r join "thread" t on t."id" = r."threadId"
     where r."ownerId" = $1 and t."ownerId" <> $1 and r."id" > $2 order by r."id" limit ${limit}`,
    [ownerId, afterId],
  );
}

/** Replaces what a person wrote to a run with `text`, wherever it is stored, in one transaction. */
export async function replaceWordsOfRun(
  database: Database,
  { id, threadId }: Pick<RunWithInput, "id" | "threadId">,
  { text, parts, input }: { readonly text: string; readonly parts: string; readonly input: string },
): Promise<void> {
  const ofRun = `where "runId" = $1 and "role" = 'user'`;
  await database.runAll([
    { sql: `update "run" set "input" = $2 where "id" = $1`, parameters: [id, input] },
    { sql: `update "transcript_message" set "text" = $2, "parts" = $3 ${ofRun}`, parameters: [id, text, parts] },
    { sql: `update "message" set "content" = $2, "images" = null, "bodyHash" = null ${ofRun}`, parameters: [id, text] },
    { sql: `delete from "run_event" where "runId" = $1`, parameters: [id] },
    // A shared copy of the thread contains the text too.
    { sql: `delete from "share" where "threadId" = $1`, parameters: [threadId] },
  ]);
}

/** Deletes the rows of files that belong to one person alone; a person's text in shared memory stays. */
export async function purgeWorkspacesOfOwner(database: Database, ownerId: string, pace: Pace): Promise<void> {
  for (const workspaceId of await selectIds(database, "workspace", `"ownerId" = $1`, [ownerId])) {
    await purgeWorkspace(database, workspaceId, pace);
  }
}

/** Deletes the rows of a project's files, including its memory. */
export async function purgeWorkspacesOfProject(database: Database, projectId: string, pace: Pace): Promise<void> {
  for (const workspaceId of await selectIds(database, "workspace", `"projectId" = $1`, [projectId])) {
    await purgeWorkspace(database, workspaceId, pace);
  }
}

async function purgeWorkspace(database: Database, workspaceId: string, pace: Pace): Promise<void> {
  const ofWorkspace = { where: `"workspaceId" = $1`, parameters: [workspaceId] };
  for (const table of ["file_version", "memory_version"]) await deleteRows(database, { table, ...ofWorkspace }, pace);
  await deleteRows(database, { table: "workspace_file", key: ["workspaceId", "path"], ...ofWorkspace }, pace);
  await database.raw(`delete from "workspace" where "id" = $1`, [workspaceId]);
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
    await deleteRows(database, { table, key, where: `"traceId" = $1`, parameters: [traceId] }, pace);
  }
  await database.raw(`delete from "trace" where "id" = $1`, [traceId]);
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
  const ofOwner = ownerId === undefined ? "" : `and t."ownerId" = $2`;
  return database.raw<DeletedThread>(
    `update "thread" set "clientId" = 'purged ' || "id" where "id" in (
        select t."id" from "thread" t where t."deletedAt" is not null and t."deletedAt" < $1
          ${ofOwner} and not exists (select 1 from "run" r where r."threadId" = t."id" and r."endedAt" is null)
        limit ${limit})
      returning "id", "agentId", "ownerId"`,
    [deletedBefore, ...(ownerId === undefined ? [] : [ownerId])],
  );
}

const TRACES_PER_TURN = 100;

/** The agents that a rule applies to: some, or all but some. */
export type SomeAgents = { readonly only: readonly string[] } | { readonly except: readonly string[] };
const ALL_AGENTS: SomeAgents = { except: [] };

function oldTraces(startedBefore: Date, agents: SomeAgents) {
  const ended = `not exists (select 1 from "run" r where r."id" = "trace"."runId" and r."endedAt" is null)`;
  const ids = "only" in agents ? agents.only : agents.except;
  const places = ids.map((_, index) => `$${index + 2}`).join(", ");
  const none = "only" in agents ? " and 1 = 0" : "";
  const among = ids.length === 0 ? none : ` and "agentId" ${"only" in agents ? "in" : "not in"} (${places})`;
  return { where: `"startedAt" < $1${among} and ${ended}`, parameters: [startedBefore, ...ids] };
}

/** How many traces `deleteTracesBefore` would delete. */
export async function countTracesBefore(database: Database, startedBefore: Date, agents: SomeAgents): Promise<number> {
  const { where, parameters } = oldTraces(startedBefore, agents);
  const [row] = await database.raw<{ count: number }>(
    `select count(*) as "count" from "trace" where ${where}`,
    parameters,
  );
  return Number(row?.count ?? 0);
}

/** Deletes traces that began before then, except those of open runs; returns how many. */
export async function deleteTracesBefore(
  database: Database,
  startedBefore: Date,
  pace: Pace,
  agents: SomeAgents = ALL_AGENTS,
): Promise<number> {
  const { where, parameters } = oldTraces(startedBefore, agents);
  const old = `${where} order by "startedAt" limit ${TRACES_PER_TURN}`;
  for (let total = 0; ; ) {
    const ids = await selectIds(database, "trace", old, parameters);
    for (const id of ids) await deleteTrace(database, id, pace);
    total += ids.length;
    if (ids.length < TRACES_PER_TURN || !(await pace.rest(1))) return total;
  }
}

/** Deletes only entries of the chain up to `number`; entries not yet in the chain stay. Returns how many. */
export function deleteAuditBefore(
  database: Database,
  createdBefore: Date,
  number: number,
  pace: Pace,
): Promise<number> {
  const where = `"createdAt" < $1 and "number" <= $2`;
  return deleteRows(database, { table: "audit_entry", where, parameters: [createdBefore, number] }, pace);
}

async function selectIds(
  database: Database,
  table: string,
  condition: string,
  parameters: readonly SqlValue[],
): Promise<string[]> {
  const rows = await database.raw<{ id: string }>(`select "id" from "${table}" where ${condition}`, parameters);
  return rows.map(({ id }) => id);
}

/** When the oldest trace began; null if there are none. */
export async function selectOldestTrace(database: Database): Promise<Date | null> {
  const [row] = await database.raw<{ startedAt: string }>(
    `select "startedAt" from "trace" order by "startedAt", "id" limit 1`,
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
  let cursor = { createdAt: new Date(0).toISOString(), hash: "" };
  let deleted = 0;
  const unnamed = TABLES_WITH_BLOBS.map(
    (table) => `not exists (select 1 from "${table}" u where u."blobHash" = "blob"."hash")`,
  );
  const wanted = database.dialect.rows("w", { hash: "text" }, "$1");
  await inChunks(async (limit) => {
    const page = await database.raw<typeof cursor>(
      `select "hash", "createdAt" from "blob" where "createdAt" < $1
        and ("createdAt" > $2 or ("createdAt" = $2 and "hash" > $3)) order by "createdAt", "hash" limit ${limit}`,
      [storedBefore, new Date(cursor.createdAt), cursor.hash],
    );
    cursor = page.at(-1) ?? cursor;
    const sql = `delete from "blob" where "hash" in (select w."hash" from ${wanted}) and "createdAt" < $2
      and ${unnamed.join(" and ")} returning "hash"`;
    deleted += (await database.raw(sql, [sqlJson(page.map(({ hash }) => ({ hash }))), storedBefore])).length;
    return page.length;
  }, pace);
  return deleted;
}
