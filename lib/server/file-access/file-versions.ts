import "server-only";
import { createTwoFilesPatch } from "diff";
import { decodeOrNull } from "@/lib/agent/workspace/file-text";
import { AppError } from "@/lib/schema/app-error";
import type { ChangedFile, FileDiff, FileVersion } from "@/lib/schema/files/workspace-file";
import { database } from "@/lib/server/platform/db/database";
import { authorOf } from "./memory/memory-author";
import type { UserFiles } from "./user-files";

const MAX_LISTED = 5_000;
const DIFF_TIMEOUT_MS = 500;

/** Templates that a run copied for a new user: neither a call of the agent nor a person wrote them. */
const SEEDED = { runId: { not: null }, toolCallId: null };

/**
 * The files that this thread changed, latest first, with the lines of all its changes together. Files of a subagent
 * with a workspace of its own are excluded: the thread can't open them.
 */
export function listChangedFiles(thread: { readonly id: string; readonly agentId: string }): Promise<ChangedFile[]> {
  return listChanges({ threadId: thread.id, workspace: { agentId: thread.agentId } });
}

interface ChangesOf {
  readonly threadId?: string;
  readonly runId?: string;
  readonly workspace: { readonly agentId: string };
}

/** The files that a thread or run changed, latest first, each with the lines of all its changes together. */
export async function listChanges(where: ChangesOf): Promise<ChangedFile[]> {
  const rows = await database().fileVersion.findMany({
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

/** Every version of a file, newest first, as this viewer sees them. */
export async function listVersions({ workspaceId }: UserFiles, path: string, viewerId: string): Promise<FileVersion[]> {
  const rows = await database().fileVersion.findMany({
    where: { workspaceId, path },
    orderBy: { version: "desc" },
    take: MAX_LISTED,
  });
  const ids = [...new Set(rows.flatMap(({ authorId }) => authorId ?? []))];
  const users = await database().user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  const names = new Map(users.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    version: row.version,
    sizeBytes: row.sizeBytes,
    deleted: row.blobHash === null,
    addedLines: row.addedLines,
    removedLines: row.removedLines,
    author: authorOf(row),
    authorName: names.get(row.authorId ?? "") ?? null,
    isOwn: row.authorId === viewerId,
    runId: row.runId,
    spanId: row.spanId,
    threadId: row.threadId,
    createdAt: row.createdAt.toISOString(),
  }));
}

/** The content of one version; a deletion is empty, as is version 0. Throws `not_found`. */
export async function readVersion(
  { workspaceId }: UserFiles,
  path: string,
  version: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (version === 0) return new Uint8Array();
  const row = await database().fileVersion.findUnique({
    where: { workspaceId_path_version: { workspaceId, path, version } },
    select: { blobHash: true },
  });
  if (!row) throw new AppError("not_found", `The file has no version ${version}.`);
  if (row.blobHash === null) return new Uint8Array();
  const blob = await database().blob.findUnique({ where: { hash: row.blobHash }, select: { content: true } });
  if (!blob) throw new AppError("not_found", "The content of this version is no longer kept.");
  return new Uint8Array(blob.content);
}

/** What changed between two versions. Throws `not_found` for a file without versions. */
export async function diffVersions(
  files: UserFiles,
  path: string,
  { from, to }: { from?: number; to?: number },
): Promise<FileDiff> {
  const latest = to ?? (await latestVersion(files, path));
  const first = from ?? latest - 1;
  const [before, after] = await Promise.all([readVersion(files, path, first), readVersion(files, path, latest)]);
  return { path, from: first, to: latest, patch: patchOf(path, before, after) };
}

async function latestVersion({ workspaceId }: UserFiles, path: string): Promise<number> {
  const { _max } = await database().fileVersion.aggregate({ where: { workspaceId, path }, _max: { version: true } });
  if (_max.version === null) throw new AppError("not_found", "This file has no versions.");
  return _max.version;
}

function patchOf(path: string, before: Uint8Array, after: Uint8Array): string | null {
  const [left, right] = [decodeOrNull(before), decodeOrNull(after)];
  if (left === null || right === null) return null;
  return createTwoFilesPatch(path, path, left, right, "", "", { context: 3, timeout: DIFF_TIMEOUT_MS }) ?? null;
}
