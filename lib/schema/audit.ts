import { z } from "zod";
import { PageQuery } from "./page-query";

const Filters = z.strictObject({
  id: z.string().max(200).optional(),
  /** Id of the actor. */
  actor: z.string().max(200).optional(),
  /** Such as `user.changed`; `user.` matches every action with that prefix. */
  action: z.string().max(200).optional(),
  /** Such as `agent:default`; `agent:` matches every target with that prefix. */
  target: z.string().max(300).optional(),
  /** ISO 8601; `to` is exclusive. */
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  /** Searches actions, targets and values. */
  q: z.string().max(200).optional(),
});
export type AuditFilters = z.infer<typeof Filters>;

/** GET `/api/audit`: newest first. */
export const AuditQuery = PageQuery.extend(Filters.shape);
export type AuditQuery = z.infer<typeof AuditQuery>;

/** GET `/api/audit/export`: NDJSON, oldest first. */
export const AuditExportQuery = Filters;

const Details = z.record(z.string(), z.unknown());

/** One entry of the audit log. */
export const AuditEntry = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.string(),
  /** Null for a deleted user, and for the server itself. */
  actorName: z.string().nullable(),
  /** noun.verb. */
  action: z.string(),
  /** noun:id. */
  target: z.string(),
  /** Display name of a target with an opaque id; null for the others, and for targets that are gone. */
  targetName: z.string().nullable(),
  /** The fields that changed; null if nothing existed before, or after. */
  before: Details.nullable(),
  after: Details.nullable(),
  details: Details,
  ip: z.string().nullable(),
  /** The API key that was used. */
  keyId: z.string().nullable(),
  /** Position in the chain; null while not linked yet, 0 for entries that predate the chain. */
  number: z.number().nullable(),
  hash: z.string().nullable(),
  prevHash: z.string().nullable(),
  /** True if the values were erased along with the person they were about. */
  isErased: z.boolean(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** `unfolded`, in a search: how many entries are not yet prepared for it, as in `ThreadList`. */
export const AuditList = z.object({
  entries: z.array(AuditEntry),
  nextCursor: z.string().nullable(),
  unfolded: z.int().optional(),
});
export type AuditList = z.infer<typeof AuditList>;

/** GET `/api/audit/verify`. */
export const AuditCheck = z.object({
  ok: z.boolean(),
  /** Entries whose hash was compared. */
  checked: z.number(),
  /** Time at which the first of these entries was written. */
  since: z.string().nullable(),
  /** Entries that predate the chain. */
  notChained: z.number(),
  /** Entries that will be linked within seconds. */
  waiting: z.number(),
  tookMs: z.number(),
  /** Id of the first entry that does not match, or of the last one before a gap. */
  firstBroken: z.string().optional(),
  problem: z.string().optional(),
});
export type AuditCheck = z.infer<typeof AuditCheck>;
