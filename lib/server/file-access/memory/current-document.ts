import "server-only";
import { createHash } from "node:crypto";
import { decodeOrNull } from "@/lib/agent/workspace/file-text";
import type { FileHistory, Workspace } from "@/lib/agent/workspace/workspace";
import { AppError } from "@/lib/schema/app-error";
import { readBlob } from "@/lib/server/files/blobs";
import { createFileHistory } from "@/lib/server/files/file-history";
import { insertVersion } from "@/lib/server/files/insert-version";
import { openWorkspace } from "@/lib/server/files/open-workspace";
import { workspaceShares } from "@/lib/server/files/workspace-shares";
import { MAX_UPLOAD_BYTES } from "@/lib/server/http/read-body";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { noDocument } from "./memory-id";
import type { MemoryFile } from "./memory-places";

/** A document as it is now; version 0 without content if it does not exist. */
export interface CurrentDocument {
  readonly version: number;
  readonly bytes: Uint8Array | null;
}

/** The files of a document's workspace; changes are attributed to `authorId`. */
export interface OpenDocument {
  readonly workspace: Workspace;
  readonly history: FileHistory;
}

/** Throws `unavailable` if the files are on another machine. */
export async function openDocument(
  database: Database,
  { place, workspaceId }: MemoryFile,
  authorId: string,
): Promise<OpenDocument> {
  const { agentId, config, threadId, userId, memoryPaths } = place;
  if (!config.backend) throw noDocument();
  const owner = { agentId, ownerId: userId ?? authorId, threadId };
  const { workspace } = await openWorkspace(database, config.backend, owner);
  const by = { agentId, ownerId: authorId, threadId, workspaceId, runId: null, memoryPaths };
  return { workspace, history: createFileHistory(database, by) };
}

/** Runs `work` while no run and no other request can change the document. */
export function whileLocked<Result>(
  services: Services,
  { workspaceId, path }: MemoryFile,
  work: () => Promise<Result>,
): Promise<Result> {
  return workspaceShares(services, workspaceId).fileLock(path, work);
}

/**
 * The document in its workspace. Content that differs from the last version was changed from outside and is recorded as
 * a new version. The caller holds the lock (`whileLocked`).
 */
export async function readLocked(
  database: Database,
  file: MemoryFile,
  { workspace, history }: OpenDocument,
): Promise<CurrentDocument> {
  const bytes = await readWhole(workspace, file.path);
  const last = await lastVersion(database, file);
  if (bytes !== null) await history.observe?.([{ path: file.path, bytes }]);
  else if (last !== null && last.blobHash !== null) await recordGone(database, file);
  else return { version: last?.version ?? 0, bytes: null };
  return { version: (await lastVersion(database, file))?.version ?? 0, bytes };
}

/** The read-only variant, without a lock; if the files are on another machine, the last version. */
export async function readCurrent(services: Services, file: MemoryFile, viewerId: string): Promise<CurrentDocument> {
  const opened = await openDocument(services.database, file, viewerId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "unavailable") return null;
    throw error;
  });
  const last = await lastVersion(services.database, file);
  const version = last?.version ?? 0;
  if (!opened) {
    return { version, bytes: last?.blobHash ? await readBlob(services.database, last.blobHash) : null };
  }
  const bytes = await readWhole(opened.workspace, file.path);
  const hash = bytes === null ? null : createHash("sha256").update(bytes).digest("hex");
  if (hash === (last?.blobHash ?? null)) return { version, bytes };
  return whileLocked(services, file, () => readLocked(services.database, file, opened));
}

/** Null if there is no file. */
async function readWhole(workspace: Workspace, path: string): Promise<Uint8Array | null> {
  if ((await workspace.stat(path))?.type !== "file") return null;
  const { bytes, sizeBytes } = await workspace.read(path, MAX_UPLOAD_BYTES);
  if (bytes.byteLength === sizeBytes) return bytes;
  throw new AppError("payload_too_large", "The document is too large to be read whole. Shorten it in its workspace.");
}

function lastVersion(database: Database, { workspaceId, path }: MemoryFile) {
  return database.fileVersion.findFirst({
    where: { workspaceId, path },
    orderBy: { version: "desc" },
    select: { version: true, blobHash: true },
  });
}

async function recordGone(database: Database, { workspaceId, path, place }: MemoryFile): Promise<void> {
  const { agentId, memoryPaths } = place;
  const noAuthor = { workspaceId, agentId, memoryPaths, ownerId: null, threadId: null, runId: null };
  await insertVersion(database, noAuthor, { path, before: null, after: null }, null);
}

/** Throws `invalid_input` for a file that is not text. */
export function textOf(bytes: Uint8Array): string {
  const text = decodeOrNull(bytes);
  if (text !== null) return text;
  throw new AppError("invalid_input", "The document is not text, so it can't be shown or edited here.");
}
