import "server-only";
import { memoryKind } from "@/lib/agent/workspace/memory-kind";
import { AppError } from "@/lib/schema/app-error";
import { announceMemoryChange, announceToUser } from "@/lib/server/engine/log/signals";
import { readBlob } from "@/lib/server/files/blobs";
import { workspaceShares } from "@/lib/server/files/workspace-shares";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { contentNow, type FilesOfRun, hashOf, historyOfUndo, openFilesOfRun } from "./run-files-of-tree";
import type { FileTarget } from "./undo-targets";

/** Whose versions the changes are. */
interface By {
  readonly actorId: string;
  readonly undoId: string;
}

/** A file is neither as it was before the change nor as it is to be. */
class FileChanged extends AppError {
  constructor(path: string) {
    super("conflict", `${path} has changed. Look again.`);
  }
}

/**
 * Brings every file from its one content to the other, in order; what is already there is left. May be repeated after
 * it broke off at any point. Throws FileChanged at the first file that has a third content.
 */
export async function changeFiles(services: Services, targets: readonly FileTarget[], by: By): Promise<void> {
  const opened = new Map<string, FilesOfRun>();
  for (const target of targets) {
    const files = opened.get(target.workspaceId) ?? (await open(services.database, target));
    opened.set(target.workspaceId, files);
    await changeFile(services, { target, files, by });
  }
}

async function open(database: Database, { runId, workspaceId }: FileTarget): Promise<FilesOfRun> {
  const run = await database.run.findUnique({ where: { id: runId } });
  const files = run && (await openFilesOfRun(database, run));
  if (files?.id === workspaceId) return files;
  throw new AppError("conflict", "The run’s files are no longer where they were.");
}

interface OneFile {
  readonly target: FileTarget;
  readonly files: FilesOfRun;
  readonly by: By;
}

async function changeFile(services: Services, { target, files, by }: OneFile): Promise<void> {
  const { database } = services;
  const { workspaceId, path, to } = target;
  const next = to === null ? null : await readBlob(database, to);
  if (to !== null && next === null) throw new AppError("conflict", `The text of ${path} has been cleaned up.`);
  await workspaceShares(services, workspaceId).fileLock(path, () => exchange(database, { target, files, by }, next));
  if (memoryKind(path, files.memoryPaths) !== null) announceMemoryChange();
  const { ownerId, threadId } = files.owner;
  announceToUser(ownerId, { type: "file.changed", threadId, runId: target.runId, path });
}

/** The caller holds the file's lock. */
async function exchange(database: Database, { target, files, by }: OneFile, next: Uint8Array | null): Promise<void> {
  const { path, from, to } = target;
  const before = await contentNow(files, path);
  const now = hashOf(before);
  if (now !== from && now !== to) throw new FileChanged(path);
  // A process may have ended between the change and its version.
  if (now === to && (await isRecorded(database, target))) return;
  if (now === from && next === null) await files.workspace.remove(path);
  else if (now === from && next !== null) await files.workspace.write(path, next);
  const was = from === null ? {} : { was: from };
  const change = { path, before: now === to ? null : before, after: next, ...was };
  await historyOfUndo(database, files, by).record(change);
}

async function isRecorded(database: Database, { workspaceId, path, to }: FileTarget): Promise<boolean> {
  const last = await database.fileVersion.findFirst({
    where: { workspaceId, path },
    orderBy: { version: "desc" },
    select: { blobHash: true },
  });
  return last === null ? to === null : last.blobHash === to;
}
