import "server-only";
import { encodeText } from "@/lib/agent/workspace/file-text";
import { memoryKind } from "@/lib/agent/workspace/memory-kind";
import { normalizePath } from "@/lib/agent/workspace/workspace";
import { AppError, invalidField } from "@/lib/schema/app-error";
import type { CreateMemoryBody, MemoryDetail, SaveMemoryBody } from "@/lib/schema/files/memory";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { writeAudit } from "@/lib/server/audit/audit-log";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { announceMemoryChange } from "@/lib/server/engine/log/signals";
import { versionBytes } from "@/lib/server/file-access/file-versions";
import { requireWorkspace } from "@/lib/server/files/workspace-row";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { memoryTarget } from "./audit-memory";
import { type CurrentDocument, openDocument, readLocked, whileLocked } from "./current-document";
import { memoryId, noDocument } from "./memory-id";
import { findMemoryFile, type MemoryFile } from "./memory-places";
import { describeMemory } from "./read-memory";

/** Writes a document's next version. Throws `conflict` with the current document if its version is not `version`. */
export async function saveMemory(
  services: Services,
  id: string,
  { content, version }: SaveMemoryBody,
  viewer: Viewer,
): Promise<MemoryDetail> {
  const file = await findMemoryFile(services, id, viewer);
  const isExpected = (current: CurrentDocument) => current.version === version;
  if (!(await change(services, file, viewer, { action: "memory.updated", next: encodeText(content), isExpected }))) {
    throw await versionConflict(services, file, viewer);
  }
  return describeMemory(services, file, viewer.id);
}

async function versionConflict(services: Services, file: MemoryFile, viewer: Viewer): Promise<AppError> {
  const current = await describeMemory(services, file, viewer.id).catch(() => null);
  const message = current
    ? `The document is now at version ${current.version}. Compare yours with it, then save again.`
    : "The document was deleted in the meantime. Restore one of its versions, then save again.";
  return new AppError("conflict", message, { details: { current } });
}

/** Removes a document; its versions stay, and restoring one restores the document. Throws `not_found`. */
export async function deleteMemory(services: Services, id: string, viewer: Viewer): Promise<void> {
  const file = await findMemoryFile(services, id, viewer);
  const isExpected = ({ bytes }: CurrentDocument) => bytes !== null;
  if (!(await change(services, file, viewer, { action: "memory.deleted", next: null, isExpected }))) throw noDocument();
}

/** Makes an older version's text the next version. Throws `not_found`. */
export async function restoreMemory(
  services: Services,
  id: string,
  version: number,
  viewer: Viewer,
): Promise<MemoryDetail> {
  const file = await findMemoryFile(services, id, viewer);
  const next = await versionBytes(services.database, file, version);
  if (next === null) {
    throw new AppError("invalid_input", `Version ${version} is the document's deletion. Restore another one.`);
  }
  await change(services, file, viewer, { action: "memory.restored", next, details: { restoredVersion: version } });
  return describeMemory(services, file, viewer.id);
}

/** Creates a document for the viewer, for another user (admins only), or for all users if they share the files. */
export async function createMemory(services: Services, body: CreateMemoryBody, viewer: Viewer): Promise<MemoryDetail> {
  const file = await findMemoryFile(services, await newDocumentId(services.database, body, viewer), viewer);
  const isExpected = ({ bytes }: CurrentDocument) => bytes === null;
  if (
    !(await change(services, file, viewer, { action: "memory.created", next: encodeText(body.content), isExpected }))
  ) {
    const current = await describeMemory(services, file, viewer.id).catch(() => null);
    throw new AppError("conflict", `${file.path} already exists. Open and change it.`, { details: { current } });
  }
  return describeMemory(services, file, viewer.id);
}

async function newDocumentId(database: Database, body: CreateMemoryBody, viewer: Viewer): Promise<string> {
  const { agentId, userId = viewer.id, threadId = null } = body;
  const { config } = await loadCurrentVersion(database, agentId, accessOf(viewer));
  const { backend, memory } = config;
  if (!backend) throw invalidField("agentId", "The agent has no workspace, so it has no memory. Give it a backend.");
  if (userId !== viewer.id && !hasAdminScope(viewer)) throw noDocument();
  const path = normalizePath(body.path, backend.workdir);
  const paths = memory.paths.map((other) => normalizePath(other, backend.workdir));
  if (memoryKind(path, paths) === null) {
    throw invalidField("path", "must be MEMORY.md, a daily note, a file of memory.paths or one of the prompt's files");
  }
  if (backend.scope === "thread") {
    if (threadId === null) throw invalidField("threadId", "Each thread of this agent has files of its own: name one");
    const thread = await database.thread.findFirst({
      where: { id: threadId, ownerId: userId, agentId, deletedAt: null },
      select: { id: true },
    });
    if (!thread) throw noDocument();
  }
  const user = await database.user.findUnique({ where: { id: userId }, select: { id: true } });
  if (!user) throw invalidField("userId", "is not a user");
  const { id: workspaceId } = await requireWorkspace(database, backend.scope, {
    agentId,
    ownerId: userId,
    threadId,
  });
  return memoryId({ workspaceId, path });
}

interface Change {
  readonly action: string;
  /** Null removes the document. */
  readonly next: Uint8Array | null;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly isExpected?: (current: CurrentDocument) => boolean;
}

/** Returns false and changes nothing if the document is not as expected. The same text creates no new version. */
async function change(services: Services, file: MemoryFile, viewer: Viewer, wanted: Change): Promise<boolean> {
  const { action, next, details = {}, isExpected = () => true } = wanted;
  const opened = await openDocument(services.database, file, viewer.id);
  const outcome = await whileLocked(services, file, async () => {
    const current = await readLocked(services.database, file, opened);
    if (!isExpected(current)) return "refused";
    if (next !== null && current.bytes !== null && Buffer.compare(next, current.bytes) === 0) return "same";
    const facts = { agentId: file.place.agentId, ownerId: file.place.userId, path: file.path, ...details };
    const before = current.bytes && { version: current.version, sizeBytes: current.bytes.byteLength };
    const version = current.version + 1;
    // Files are not part of a transaction: the entry is stored first, so that every change has one.
    await writeAudit(services, {
      actorId: viewer.id,
      action,
      target: memoryTarget(file),
      details: facts,
      ...(before ? { before } : {}),
      after: next === null ? { version, deleted: true } : { version, sizeBytes: next.byteLength },
    });
    if (next === null) await opened.workspace.remove(file.path);
    else await opened.workspace.write(file.path, next);
    await opened.history.record({ path: file.path, before: current.bytes, after: next });
    announceMemoryChange();
    return "changed";
  });
  return outcome !== "refused";
}
