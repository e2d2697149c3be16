import { z } from "zod";
import { PageQuery } from "./page-query";

/** GET `/api/audit`: newest first; `target` is exact, such as `agent:default`. */
export const AuditQuery = PageQuery.extend({ target: z.string().max(300).optional() });
export type AuditQuery = z.infer<typeof AuditQuery>;

/** Who did what to what. `actorName` is null for somebody who no longer exists. */
const AuditEntry = z.object({
  id: z.string(),
  actorId: z.string(),
  actorName: z.string().nullable(),
  action: z.string(),
  target: z.string(),
  details: z.record(z.string(), z.unknown()),
  createdAt: z.string(),
});

export const AuditList = z.object({ entries: z.array(AuditEntry), nextCursor: z.string().nullable() });
export type AuditList = z.infer<typeof AuditList>;
