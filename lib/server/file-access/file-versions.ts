import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { ChangedFile, FileDiff, FileVersion } from "@/lib/schema/files/workspace-file";
import type { Reader } from "@/lib/schema/users/user";
import { readBlob } from "@/lib/server/files/blobs";
import { patchOf } from "@/lib/server/files/file-patch";
import type { Database } from "@/lib/server/platform/db/database";
import { userNames } from "@/lib/server/users/user-names";
import { authorOf } from "./memory/memory-author";
import { readBytes, type UserFiles } from "./user-files";

const MAX_LISTED = 5_000;

/** Templates that a run copied for a new user: written neither by a call of the agent nor by a person. */
const SEEDED = { runId: { not: null }, toolCallId: null };

/**
 * The files that this thread changed, latest first, each with the line counts of all its changes combined. Files of a
 * subagent with its own workspace are excluded: the thread can't open them.
 */
export function listChangedFiles(
  database: Database,
  thread: { readonly id: string; readonly agentId: string },
): Promise<ChangedFile[]> {
  return listChanges(database, { threadId: thread.id, workspace: ofAgentOrProject(thread.agentId) });
}

/** The agents of a project write to the one workspace they share. */
export function ofAgentOrProject(agentId: string) {
  return { OR: [{ agentId }, { projectId: { not: null } }] };
}

interface ChangesOf {
  readonly threadId?: string;
  readonly runId?: string;
  readonly workspace: ReturnType<typeof ofAgentOrProject>;
}

/** The files that a thread or run changed, latest first, each with the line counts of all its changes combined. */
export async function listChanges(database: Database, where: ChangesOf): Promise<ChangedFile[]> {
  const rows = await database.fileVersion.findMany({
    where: { ...where, NOT: SEEDED },
    orderBy: [{ createdAt: "desc" }, { version: "desc" }, { path: "asc" }],
    take: MAX_LISTED,
    select: { path: true, version: true, blobHash: true, addedLines: true, removedLines: true, createdAt: true },
  });
  const files = new Map<string, ChangedFile & { firstVersion: number }>();
  for (const row of rows) {
    const known = files.get(row.path);
    files.set(row.path, {
      path: row.path,
      operation: known?.operation ?? (row.blobHash === null ? "deleted" : "changed"),
      version: known?.version ?? row.version,
      addedLines: (known?.addedLines ?? 0) + row.addedLines,
      removedLines: (known?.removedLines ?? 0) + row.removedLines,
      changedAt: known?.changedAt ?? row.createdAt.toISOString(),
      firstVersion: row.version,
    });
  }
  return [...files.values()].map(({ firstVersion, ...file }) => ({
    ...file,
    operation: file.operation === "changed" && firstVersion === 1 ? "created" : file.operation,
  }));
}

/** Every version of a file, newest first, as shown to this viewer. */
export async function listVersions(
  database: Database,
  { workspaceId }: UserFiles,
  path: string,
  viewer: Reader,
): Promise<FileVersion[]> {
  const rows = await database.fileVersion.findMany({
    where: { workspaceId, path },
    orderBy: { version: "desc" },
    take: MAX_LISTED,
  });
  const names = await userNames(
    database,
    rows.map(({ authorId }) => authorId),
  );
  return rows.map((row) => ({
    version: row.version,
    sizeBytes: row.sizeBytes,
    deleted: row.blobHash === null,
    addedLines: row.addedLines,
    removedLines: row.removedLines,
    author: authorOf(row),
    authorName: names.get(row.authorId ?? "") ?? null,
    isOwn: row.authorId === viewer.id,
    runId: row.runId,
    spanId: row.spanId,
    threadId: row.threadId,
    createdAt: row.createdAt.toISOString(),
  }));
}

/** A file of a workspace, whether or not it exists now. */
interface FileKey {
  readonly workspaceId: string;
  readonly path: string;
}

/** The content of one version; null for a deletion. Throws `not_found`. */
export async function versionBytes(
  database: Database,
  { workspaceId, path }: FileKey,
  version: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const row = await database.fileVersion.findUnique({
    where: { workspaceId_path_version: { workspaceId, path, version } },
    select: { blobHash: true },
  });
  if (!row) throw new AppError("not_found", `There is no version ${version} of ${path}.`);
  if (row.blobHash === null) return null;
  const bytes = await readBlob(database, row.blobHash);
  if (!bytes) throw new AppError("not_found", `The content of version ${version} is no longer kept.`);
  return bytes;
}

/** The content of one version; deletions and version 0 are empty. Throws `not_found`. */
async function readVersion(
  database: Database,
  { workspaceId }: Pick<FileKey, "workspaceId">,
  path: string,
  version: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = version === 0 ? null : await versionBytes(database, { workspaceId, path }, version);
  return bytes ?? new Uint8Array();
}

/** The content of the file as it is now, or of one version of it. Throws `not_found`. */
export async function readFileBytes(
  database: Database,
  files: UserFiles,
  path: string,
  version: number | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  return version === undefined ? readBytes(files, path) : readVersion(database, files, files.normalize(path), version);
}

/** The difference between two versions, by default the last two. Throws `not_found` for a file without versions. */
export async function diffVersions(
  database: Database,
  { workspaceId }: Pick<FileKey, "workspaceId">,
  path: string,
  { from, to }: { readonly from?: number | undefined; readonly to?: number | undefined },
): Promise<FileDiff> {
  const latest = to ?? (await latestVersion(database, { workspaceId, path }));
  const first = from ?? latest - 1;
  const [before, after] = await Promise.all(
    [first, latest].map((version) => readVersion(database, { workspaceId }, path, version)),
  );
  if (!before || !after) throw new Error("two versions are compared");
  return { path, from: first, to: latest, patch: patchOf(path, before, after) };
}

async function latestVersion(database: Database, { workspaceId, path }: FileKey): Promise<number> {
  const { _max } = await database.fileVersion.aggregate({ where: { workspaceId, path }, _max: { version: true } });
  if (_max.version === null) throw new AppError("not_found", "This file has no versions.");
  return _max.version;
}
