import { createId } from "./create-id";

/** Who changed what. */
export interface AuditRecord {
  readonly actorId: string;
  /** noun.verb, such as `user.created`. */
  readonly action: string;
  /** noun:id. */
  readonly target: string;
  /** Flat facts; never a secret or a message body. */
  readonly details?: Record<string, unknown>;
}

/** The columns of a new entry of the audit log. */
export function auditColumns({ actorId, action, target, details = {} }: AuditRecord) {
  return { id: createId("aud"), actorId, action, target, details: JSON.stringify(details) };
}
