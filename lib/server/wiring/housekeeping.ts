import "server-only";
import { rm } from "node:fs/promises";
import path from "node:path";
import { deleteOldEntries } from "@/lib/server/audit/audit-chain";
import { projectFolder, threadFolder } from "@/lib/server/files/workspace-row";
import type { Database } from "@/lib/server/platform/db/database";
import { inChunks, type Pace } from "@/lib/server/platform/db/in-chunks";
import { deleteExpired } from "@/lib/server/platform/db/queries/retention/delete-rows";
import { deleteVersionsBefore } from "@/lib/server/platform/db/queries/retention/old-versions";
import {
  claimDeletedThreads,
  type DeletedThread,
  type DeletedThreads,
  deleteDraftsBefore,
  deleteTracesBefore,
  deleteUnusedBlobs,
  purgeThread,
  purgeTracesOfThread,
  purgeWorkspacesOfProject,
  selectOldestTrace,
} from "@/lib/server/platform/db/queries/retention/purge";
import { settingOrInsert } from "@/lib/server/platform/db/queries/settings";
import { releaseFreePages, selectFreePages } from "@/lib/server/platform/db/queries/sqlite-file";
import { retireTrialThreads, retireUnusedThreads } from "@/lib/server/platform/db/queries/threads";
import { keepUses } from "@/lib/server/platform/db/queries/trace-list/uses-of-runs";
import { BLOB_STEP_MS } from "@/lib/server/platform/db/queries/workspaces/files";
import type { Retention } from "@/lib/server/platform/env";
import { logger } from "@/lib/server/platform/logger";
import { traceRules } from "@/lib/server/settings/retention";
import { forgetUnlinked } from "@/lib/server/triggers/channels/links/unlink";

export const HOUSEKEEPING_EVERY_MS = 3_600_000;

const DAY_MS = 86_400_000;
/** How long earlier revisions of an agent's draft are kept. */
const DRAFTS_KEPT_MS = 30 * DAY_MS;
/** How long a test thread is kept after its last use. */
const TESTS_KEPT_MS = 30 * DAY_MS;
/** How long after a run's end its calls are taken to have settled. */
const USES_SETTLED_MS = DAY_MS;
/** The share of free pages that a database file may keep for reuse. */
const FREE_SHARE = 0.05;
const FREE_PAGES = 1_000;

interface Housekeeping {
  readonly retention: Retention;
  /** How long traces are kept for agents with their own retention time. */
  readonly agentTracesMs?: Readonly<Record<string, number | null>>;
  readonly nowMs: number;
  readonly pace: Pace;
  readonly dataDirectory: string;
}

/**
 * Deletes everything past its retention: deleted threads with their files and traces, traces, overwritten drafts,
 * versions of files, audit entries, contents that nothing references any more, and what has expired, such as sessions;
 * then keeps with older traces what their calls used, and shrinks the SQLite file by the space freed.
 */
export async function runHousekeeping(database: Database, housekeeping: Housekeeping) {
  const { retention, nowMs, pace, dataDirectory } = housekeeping;
  const before = (keptMs: number) => new Date(nowMs - keptMs);
  const { threads, deletedThreads, audit, fileVersions } = retention;
  await retireTrialThreads(database, before(TESTS_KEPT_MS), new Date(nowMs));
  const deleted = {
    unusedThreads: threads === null ? 0 : await retireUnusedThreads(database, before(threads), new Date(nowMs), pace),
    threads:
      deletedThreads === null
        ? 0
        : await purgeDeletedThreads(database, { deletedBefore: before(deletedThreads) }, { pace, dataDirectory }),
    projects:
      deletedThreads === null
        ? 0
        : await purgeDeletedProjects(database, before(deletedThreads), { pace, dataDirectory }),
    traces: await deleteOldTraces(database, housekeeping),
    drafts: await deleteDraftsBefore(database, before(DRAFTS_KEPT_MS), pace),
    fileVersions: fileVersions === null ? 0 : await deleteVersionsBefore(database, before(fileVersions), pace),
    auditEntries: audit === null ? 0 : await deleteOldEntries(database, before(audit), pace),
    blobs: await sweepBlobs(database, nowMs, pace),
    ...(await deleteExpired(database, nowMs, pace)),
  };
  await keepUses(database, before(USES_SETTLED_MS), pace);
  await forgetUnlinked(database, new Date(nowMs));
  const releasedPages = await shrinkFile(database, pace);
  const hasDeleted = Object.values(deleted).some((count) => count > 0);
  if (hasDeleted || releasedPages > 0) logger().info({ ...deleted, releasedPages }, "deleted what is no longer kept");
}

async function deleteOldTraces(
  database: Database,
  { retention, agentTracesMs = {}, nowMs, pace }: Housekeeping,
): Promise<number> {
  let deleted = 0;
  for (const { keptMs, agents } of traceRules(retention.traces, agentTracesMs)) {
    deleted += await deleteTracesBefore(database, new Date(nowMs - keptMs), pace, agents);
  }
  return deleted;
}

const THREADS_PER_TURN = 20;

/** Permanently deletes threads with their traces and files, except those with open runs. Returns how many. */
export async function purgeDeletedThreads(
  database: Database,
  which: DeletedThreads,
  { pace, dataDirectory }: Pick<Housekeeping, "pace" | "dataDirectory">,
): Promise<number> {
  for (let total = 0; ; ) {
    const threads = await claimDeletedThreads(database, which, THREADS_PER_TURN);
    for (const thread of threads) {
      await purgeTracesOfThread(database, thread.id, pace);
      await removeFiles(thread, dataDirectory);
      await purgeThread(database, thread.id, pace);
    }
    total += threads.length;
    if (threads.length < THREADS_PER_TURN || !(await pace.rest(1))) return total;
  }
}

/** Removes the files that only this thread had, if they are on this machine. */
async function removeFiles({ id: threadId, agentId, ownerId }: DeletedThread, dataDirectory: string): Promise<void> {
  const folder = path.join(dataDirectory, "workspaces", threadFolder({ agentId, ownerId, threadId }));
  await rm(folder, { recursive: true, force: true });
}

/**
 * Permanently deletes deleted projects with their instructions and files, and projects without members. Their threads
 * stay with the people who started them. Returns how many.
 */
async function purgeDeletedProjects(
  database: Database,
  deletedBefore: Date,
  { pace, dataDirectory }: Pick<Housekeeping, "pace" | "dataDirectory">,
): Promise<number> {
  const projects = await database.project.findMany({
    where: { OR: [{ deletedAt: { lt: deletedBefore } }, { members: { none: {} } }] },
    select: { id: true },
    take: THREADS_PER_TURN,
  });
  for (const { id } of projects) {
    await rm(path.join(dataDirectory, "workspaces", projectFolder(id)), { recursive: true, force: true });
    await purgeWorkspacesOfProject(database, id, pace);
    await database.budget.deleteMany({ where: { scope: "project", scopeId: id } });
    await database.project.delete({ where: { id }, select: { id: true } });
  }
  return projects.length;
}

/**
 * A span references blobs stored at most an hour before it began, so blobs last stored a day before the oldest trace
 * are unreferenced. This is valid only since blobs record when they were stored: traces from before that keep all
 * blobs.
 */
async function sweepBlobs(database: Database, nowMs: number, pace: Pace): Promise<number> {
  const recordedSince = Number(await settingOrInsert(database, "blobs-recorded-since", String(nowMs)));
  const oldest = (await selectOldestTrace(database))?.getTime() ?? nowMs;
  if (oldest < recordedSince + BLOB_STEP_MS) return 0;
  return deleteUnusedBlobs(database, new Date(oldest - DAY_MS), pace);
}

async function shrinkFile(database: Database, pace: Pace): Promise<number> {
  if (database.dialect.provider !== "sqlite") return 0;
  return inChunks(async (limit) => {
    const pages = await selectFreePages(database);
    const spare = pages === null ? 0 : pages.free - Math.max(FREE_PAGES, Math.floor(pages.all * FREE_SHARE));
    const released = Math.min(limit, Math.max(0, spare));
    if (released > 0) await releaseFreePages(database, released);
    return released;
  }, pace);
}
