import { createId } from "./create-id";
import { requestContext } from "./request-context";

type Details = Readonly<Record<string, unknown>>;

/** Who changed what. */
export interface AuditRecord {
  readonly actorId: string;
  /** noun.verb, such as `user.created`. */
  readonly action: string;
  /** noun:id. */
  readonly target: string;
  /** Flat facts; never a secret or a message body. */
  readonly details?: Details;
  /** The changed fields, before and after; neither contains a secret. */
  readonly before?: Details;
  readonly after?: Details;
}

/** The columns of a new audit log entry, which `linkEntries` adds to the chain a moment later. */
export function auditColumns({ actorId, action, target, details = {}, before, after }: AuditRecord) {
  const { ip, apiKeyId } = requestContext();
  return {
    id: createId("aud"),
    actorId,
    action,
    target,
    details: JSON.stringify(details),
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
    ...{ ip, apiKeyId },
  };
}

/** The fields that differ between two states; lists are compared as a whole. */
export function changedFields<State extends Details>(before: State, after: State): { before: Details; after: Details } {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (state: State) => Object.fromEntries(names.map((name) => [name, state[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}
