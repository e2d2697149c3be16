import { z } from "zod";

const STORAGE_KINDS = ["traces", "threads", "deletedThreads", "files", "events", "audit", "other"] as const;
export type StorageKind = (typeof STORAGE_KINDS)[number];

/** GET `/api/storage`: where the space went, and what is deleted next. Measured at most every ten minutes. */
export const Storage = z.object({
  measuredAt: z.string(),
  dataDirectory: z.string(),
  database: z.enum(["sqlite", "postgresql"]),
  totalBytes: z.number(),
  /** Growth per day, averaged over the last week; 0 in an empty installation. */
  perDayBytes: z.number(),
  /** On the data directory's disk; null if the system does not say. */
  freeBytes: z.number().nullable(),
  /** What to do if all processes together may open more connections than Postgres accepts. */
  connectionProblem: z.string().nullable(),
  kinds: z.array(
    z.object({
      kind: z.enum(STORAGE_KINDS),
      bytes: z.number(),
      /** Null for what is deleted as fast as it arrives. */
      perDayBytes: z.number().nullable(),
      /** Number that the next housekeeping deletes; null for what is never deleted by age. */
      due: z.number().nullable(),
      /** Time at which the oldest remaining one reaches its age. */
      nextAt: z.string().nullable(),
    }),
  ),
});
export type Storage = z.infer<typeof Storage>;
