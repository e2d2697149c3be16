import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { MemoryDiffQuery, MemoryVersion } from "@/lib/schema/files/memory";
import type { FileDiff } from "@/lib/schema/files/workspace-file";
import type { PageQuery } from "@/lib/schema/page-query";
import { toRunVersion } from "@/lib/schema/runs/run-version";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { diffVersions } from "@/lib/server/file-access/file-versions";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { runInReach } from "@/lib/server/platform/within-reach";
import { userNames } from "@/lib/server/users/user-names";
import { auditLook } from "./audit-memory";
import { originOf } from "./memory-author";
import { noDocument } from "./memory-id";
import { findMemoryFile, type MemoryFile } from "./memory-places";

/** A document's versions, newest first, a page at a time; also for a deleted document. */
export async function listMemoryVersions(
  services: Services,
  id: string,
  { limit, cursor }: PageQuery,
  viewer: Viewer,
): Promise<{ versions: MemoryVersion[]; nextCursor: string | null }> {
  const file = await findMemoryFile(services, id, viewer);
  await auditLook(services, file, viewer);
  const below = cursor === undefined ? {} : { version: { lt: parseCursor(cursor) } };
  const rows = await services.database.fileVersion.findMany({
    where: { workspaceId: file.workspaceId, path: file.path, ...below },
    orderBy: { version: "desc" },
    take: limit + 1,
  });
  if (rows.length === 0 && cursor === undefined) throw noDocument();
  const page = rows.slice(0, limit);
  return {
    versions: await toVersions(services.database, file, page, viewer),
    nextCursor: rows.length > limit ? String(page.at(-1)?.version) : null,
  };
}

function parseCursor(cursor: string): number {
  const version = Number(cursor);
  if (Number.isInteger(version) && version > 0) return version;
  throw new AppError("invalid_input", "cursor: is not one of this list. Begin without it.");
}

interface VersionRow {
  readonly version: number;
  readonly blobHash: string | null;
  readonly sizeBytes: number;
  readonly addedLines: number;
  readonly removedLines: number;
  readonly authorId: string | null;
  readonly runId: string | null;
  readonly toolCallId: string | null;
  readonly spanId: string | null;
  readonly createdAt: Date;
}

async function toVersions(
  database: Database,
  file: MemoryFile,
  rows: readonly VersionRow[],
  viewer: Viewer,
): Promise<MemoryVersion[]> {
  const [names, runs, flushes, earlier] = await Promise.all([
    userNames(
      database,
      rows.map(({ authorId }) => authorId),
    ),
    runsOf(database, rows, viewer),
    flushSpans(database, rows),
    earliestWith(database, file, rows),
  ]);
  return rows.map((row) => {
    const first = earlier.get(row.blobHash ?? "") ?? row.version;
    const run = runs.get(row.runId ?? "") ?? null;
    return {
      ...originOf(row, names),
      authorId: row.authorId,
      run: run && { ...run, isFlush: flushes.has(row.spanId ?? "") },
      sizeBytes: row.sizeBytes,
      deleted: row.blobHash === null,
      addedLines: row.addedLines,
      removedLines: row.removedLines,
      restoredVersion: first < row.version - 1 ? first : null,
    };
  });
}

/** The runs that wrote these versions, limited to those the viewer may open: if files are shared, others write too. */
async function runsOf(database: Database, rows: readonly VersionRow[], viewer: Viewer) {
  const ids = [...new Set(rows.flatMap(({ runId }) => runId ?? []))];
  const runs = await database.run.findMany({
    where: { id: { in: ids }, ...(hasAdminScope(viewer) ? {} : { ownerId: viewer.id }), ...runInReach(viewer) },
    select: {
      id: true,
      traceId: true,
      threadId: true,
      ownerId: true,
      agentVersion: { select: { number: true } },
      thread: { select: { title: true } },
    },
  });
  return new Map(
    runs.map(({ id, traceId, threadId, ownerId, agentVersion, thread }) => {
      const facts = { traceId, threadId, title: thread.title, agentVersion: toRunVersion(agentVersion.number) };
      return [id, { ...facts, isOwn: ownerId === viewer.id }] as const;
    }),
  );
}

/** The spans that belong to a memory flush. */
async function flushSpans(database: Database, rows: readonly VersionRow[]): Promise<ReadonlySet<string>> {
  const ids = rows.flatMap(({ spanId }) => spanId ?? []);
  const spans = await database.span.findMany({ where: { id: { in: ids } }, select: { id: true, parentId: true } });
  const parents = await database.span.findMany({
    where: { id: { in: spans.flatMap(({ parentId }) => parentId ?? []) }, name: "memory_flush" },
    select: { id: true },
  });
  const flushes = new Set(parents.map(({ id }) => id));
  return new Set(spans.flatMap(({ id, parentId }) => (flushes.has(parentId ?? "") ? [id] : [])));
}

/** The first version of the document with each of these contents. */
async function earliestWith(database: Database, { workspaceId, path }: MemoryFile, rows: readonly VersionRow[]) {
  const hashes = [...new Set(rows.flatMap(({ blobHash }) => blobHash ?? []))];
  const found = await database.fileVersion.groupBy({
    by: ["blobHash"],
    where: { workspaceId, path, blobHash: { in: hashes } },
    _min: { version: true },
  });
  return new Map(found.map(({ blobHash, _min }) => [blobHash ?? "", _min.version ?? 0]));
}

/** The difference between two versions, by default the last two. Throws `not_found`. */
export async function diffMemory(
  services: Services,
  id: string,
  query: MemoryDiffQuery,
  viewer: Viewer,
): Promise<FileDiff> {
  const file = await findMemoryFile(services, id, viewer);
  await auditLook(services, file, viewer);
  return diffVersions(services.database, file, file.path, query);
}
