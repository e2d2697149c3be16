import { z } from "zod";
import { PageQuery } from "./page-query";

const Filters = z.strictObject({
  id: z.string().max(200).optional(),
  /** The id of who did it. */
  actor: z.string().max(200).optional(),
  /** Such as `user.changed`; `user.` for all that begins so. */
  action: z.string().max(200).optional(),
  /** Such as `agent:default`; `agent:` for all that begins so. */
  target: z.string().max(300).optional(),
  /** ISO 8601; `to` is exclusive. */
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  /** Text in what was done, to what, and in the values. */
  q: z.string().max(200).optional(),
});
export type AuditFilters = z.infer<typeof Filters>;

/** GET `/api/audit`: newest first. */
export const AuditQuery = PageQuery.extend(Filters.shape);
export type AuditQuery = z.infer<typeof AuditQuery>;

/** GET `/api/audit/export`: NDJSON, oldest first. */
export const AuditExportQuery = Filters;

const Facts = z.record(z.string(), z.unknown());

/** Who did what to what. */
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
  /** What a target that has an id nobody knows by heart is called; null for the others, and for what is gone. */
  targetName: z.string().nullable(),
  /** The fields that changed; null where nothing was before, or is after. */
  before: Facts.nullable(),
  after: Facts.nullable(),
  details: Facts,
  ip: z.string().nullable(),
  /** The API key that was used. */
  keyId: z.string().nullable(),
  /** Its place in the chain; null while it is not linked yet, 0 for entries from before there was a chain. */
  number: z.number().nullable(),
  hash: z.string().nullable(),
  prevHash: z.string().nullable(),
  /** True where the values were erased with the person they were about. */
  isErased: z.boolean(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditList = z.object({ entries: z.array(AuditEntry), nextCursor: z.string().nullable() });
export type AuditList = z.infer<typeof AuditList>;

/** GET `/api/audit/verify`. */
export const AuditCheck = z.object({
  ok: z.boolean(),
  /** Entries whose hash was compared. */
  checked: z.number(),
  /** When the first of them was written. */
  since: z.string().nullable(),
  /** From before there was a chain. */
  notChained: z.number(),
  /** To be linked within seconds. */
  waiting: z.number(),
  tookMs: z.number(),
  /** The id of the first entry that does not match, or of the last one before those that are missing. */
  firstBroken: z.string().optional(),
  problem: z.string().optional(),
});
export type AuditCheck = z.infer<typeof AuditCheck>;
