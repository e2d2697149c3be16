import "server-only";
import type { Viewer } from "@/lib/schema/users/user";
import { writeAudit } from "@/lib/server/audit/audit-log";
import type { AuditRecord } from "@/lib/server/platform/audit-columns";
import type { Services } from "@/lib/server/platform/services";
import { memoryId } from "./memory-id";
import type { MemoryFile } from "./memory-places";

const SAME_LOOK_MS = 5 * 60_000;

/**
 * Records that an admin read another person's memory, at most once in five minutes, because an open page reads it
 * repeatedly.
 */
export async function auditLook(services: Services, file: MemoryFile, viewer: Viewer): Promise<void> {
  const { userId, agentId } = file.place;
  if (userId === null || userId === viewer.id) return;
  const details = { agentId, ownerId: userId, path: file.path };
  await auditOnce(services, { actorId: viewer.id, action: "memory.viewed", target: memoryTarget(file), details });
}

/** Records whose memory appeared in the results of an admin's search. */
export async function auditSearch(services: Services, owners: ReadonlySet<string>, viewer: Viewer): Promise<void> {
  for (const userId of owners) {
    if (userId === viewer.id) continue;
    await auditOnce(services, { actorId: viewer.id, action: "memory.searched", target: `user:${userId}` });
  }
}

async function auditOnce(services: Services, record: AuditRecord): Promise<void> {
  const { actorId, action, target } = record;
  const since = new Date(Date.now() - SAME_LOOK_MS);
  const noted = await services.database.auditEntry.findFirst({
    where: { createdAt: { gte: since }, actorId, action, target },
    select: { id: true },
  });
  if (!noted) await writeAudit(services, record);
}

/** The target of audit entries about a document. */
export function memoryTarget(file: MemoryFile): string {
  return `memory:${memoryId(file)}`;
}
