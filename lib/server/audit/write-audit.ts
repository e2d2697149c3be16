import "server-only";
import { createId } from "@/lib/server/platform/create-id";
import { database } from "@/lib/server/platform/db/database";

interface AuditRecord {
  readonly actorId: string;
  /** noun.verb, such as `user.created`. */
  readonly action: string;
  /** noun:id. */
  readonly target: string;
  /** Flat facts; never a secret or a message body. */
  readonly details?: Record<string, unknown>;
}

/** Records who changed what. Awaited: an action that can't be recorded fails. */
export async function writeAudit({ actorId, action, target, details = {} }: AuditRecord): Promise<void> {
  await database().auditEntry.create({
    data: { id: createId("aud"), actorId, action, target, details: JSON.stringify(details) },
  });
}
