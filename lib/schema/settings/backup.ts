import { z } from "zod";

/** A backup's progress: a fraction of 1, if known. */
const BackupProgress = z.object({
  phase: z.enum(["database", "files", "packing"]),
  share: z.number().nullable(),
  startedAt: z.string(),
});
export type BackupProgress = z.infer<typeof BackupProgress>;

/** GET `/api/backup`. */
export const BackupState = z.object({
  folder: z.string().nullable(),
  /** The backup that this process is making. */
  running: BackupProgress.nullable(),
  /** The backups in the folder, newest first. */
  backups: z.array(z.object({ name: z.string(), at: z.string(), sizeBytes: z.number() })),
  /** Why the last backup failed, or the folder can't be read. */
  problem: z.string().nullable(),
});
export type BackupState = z.infer<typeof BackupState>;

/** A backup's description of itself, in its `backup.json`. */
export const BackupSummary = z.object({
  format: z.literal("ringmaster.backup"),
  version: z.string(),
  createdAt: z.string(),
  database: z.enum(["sqlite", "postgresql"]),
});
export type BackupSummary = z.infer<typeof BackupSummary>;

export const DryRunBody = z.strictObject({
  path: z.string().min(1).max(1_000).startsWith("/", "must be an absolute path"),
});

/** POST `/api/backup/dry-run`: whether a restore would work. Nothing is changed. */
export const DryRun = z.object({
  ok: z.boolean(),
  /** Reasons why a restore would fail, each with what to do. */
  problems: z.array(z.string()),
  facts: BackupSummary.nullable(),
  sizeBytes: z.number(),
  /** Number of files and folders besides the database. */
  files: z.number(),
  /** Rows by kind; null if the database is a Postgres dump. */
  counts: z.object({ people: z.number(), agents: z.number(), threads: z.number(), runs: z.number() }).nullable(),
  /** Migrations that a restore would apply, and those unknown to this version. */
  migrations: z.object({ missing: z.number(), unknown: z.array(z.string()) }),
  /** Whether this installation's secret decrypts the backup's encrypted values; null if that can't be determined. */
  secretFits: z.boolean().nullable(),
});
export type DryRun = z.infer<typeof DryRun>;
