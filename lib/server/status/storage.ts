import "server-only";
import { opendir, stat, statfs } from "node:fs/promises";
import path from "node:path";
import type { Storage, StorageKind } from "@/lib/schema/settings/storage";
import type { Database } from "@/lib/server/platform/db/database";
import { selectGrowth, selectTableSizes } from "@/lib/server/platform/db/queries/storage";
import { env } from "@/lib/server/platform/env";
import { type Services, serviceState } from "@/lib/server/platform/services";
import { retentionInForce, tryRetention } from "@/lib/server/settings/retention";
import { describeConnectionNeed } from "./connection-need";

const MEASURED_FOR_MS = 600_000;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

const KIND_OF_TABLE: Readonly<Record<string, StorageKind>> = {
  trace: "traces",
  span: "traces",
  thread: "threads",
  message: "threads",
  transcript_message: "threads",
  run: "threads",
  todo: "threads",
  approval: "threads",
  grant: "threads",
  purged_run: "threads",
  thread_image: "threads",
  blob: "files",
  workspace: "files",
  workspace_file: "files",
  file_version: "files",
  memory_version: "files",
  run_event: "events",
  audit_entry: "audit",
};

interface Measured {
  readonly atMs: number;
  readonly storage: Promise<Measure>;
}

type Measure = Omit<Storage, "kinds"> & { readonly kinds: readonly Omit<Storage["kinds"][number], "due" | "nextAt">[] };

const measured = serviceState("storage", () => ({ last: null as Measured | null }));

/**
 * The storage in use. Sizes are measured at most every ten minutes; what will be deleted next is counted on each call.
 */
export async function getStorage(services: Services, nowMs = Date.now()): Promise<Storage> {
  const state = measured(services);
  if (!state.last || nowMs - state.last.atMs > MEASURED_FOR_MS) {
    const storage = measure(services.database, nowMs);
    state.last = { atMs: nowMs, storage };
    storage.catch(() => {
      state.last = null;
    });
  }
  const [known, going] = await Promise.all([state.last.storage, goingNext(services.database, nowMs)]);
  return { ...known, kinds: known.kinds.map((row) => ({ ...row, ...going[row.kind] })) };
}

async function measure(db: Database, nowMs: number): Promise<Measure> {
  const { dataDirectory } = env();
  const [tables, disk, free, connectionProblem, deletedShare, ...growth] = await Promise.all([
    selectTableSizes(db),
    measureFolder(path.join(dataDirectory, "workspaces"), nowMs - WEEK_MS),
    statfs(dataDirectory).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    ),
    describeConnectionNeed(db),
    shareOfDeleted(db),
    ...(["trace", "run", "audit_entry", "blob"] as const).map((table) =>
      selectGrowth(db, table, new Date(nowMs - WEEK_MS)),
    ),
  ]);
  const bytes: Record<StorageKind, number> = {
    ...{ traces: 0, threads: 0, deletedThreads: 0, files: 0, events: 0, audit: 0, other: 0 },
  };
  for (const { table, bytes: size } of tables) bytes[KIND_OF_TABLE[table] ?? "other"] += size;
  const [trace, run, audit, blob] = growth.map(({ share, oldest }) => {
    const days = oldest === null ? 1 : Math.min(7, Math.max(1, (nowMs - oldest.getTime()) / DAY_MS));
    return share / days;
  });
  const perDay: Record<StorageKind, number | null> = {
    traces: bytes.traces * (trace ?? 0),
    threads: bytes.threads * (run ?? 0),
    deletedThreads: null,
    files: bytes.files * (blob ?? 0) + disk.recentBytes / 7,
    events: null,
    audit: bytes.audit * (audit ?? 0),
    other: null,
  };
  bytes.files += disk.bytes;
  bytes.deletedThreads = Math.round(bytes.threads * deletedShare);
  bytes.threads -= bytes.deletedThreads;
  const kinds = (Object.keys(bytes) as StorageKind[]).map((kind) => {
    const daily = perDay[kind];
    return { kind, bytes: bytes[kind], perDayBytes: daily === null ? null : Math.round(daily) };
  });
  return {
    measuredAt: new Date(nowMs).toISOString(),
    dataDirectory,
    database: db.dialect.provider,
    totalBytes: kinds.reduce((sum, row) => sum + row.bytes, 0),
    perDayBytes: kinds.reduce((sum, row) => sum + (row.perDayBytes ?? 0), 0),
    freeBytes: free,
    connectionProblem,
    kinds,
  };
}

/** Of all messages, how many are in deleted threads. */
async function shareOfDeleted(db: Database): Promise<number> {
  const [all, deleted] = await Promise.all([
    db.message.count(),
    db.message.count({ where: { thread: { deletedAt: { not: null } } } }),
  ]);
  return all === 0 ? 0 : deleted / all;
}

type Going = Pick<Storage["kinds"][number], "due" | "nextAt">;

async function goingNext(database: Database, nowMs: number): Promise<Record<StorageKind, Going>> {
  const { kinds } = retentionInForce();
  const [{ now }, trace, audit, thread] = await Promise.all([
    tryRetention(database, { retention: {} }, nowMs),
    database.trace.findFirst({ orderBy: [{ startedAt: "asc" }, { id: "asc" }], select: { startedAt: true } }),
    database.auditEntry.findFirst({
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      select: { createdAt: true },
    }),
    database.thread.findFirst({
      where: { deletedAt: { not: null } },
      orderBy: { deletedAt: "asc" },
      select: { deletedAt: true },
    }),
  ]);
  const after = (oldest: Date | null | undefined, keptMs: number | null) =>
    oldest && keptMs !== null ? new Date(oldest.getTime() + keptMs).toISOString() : null;
  return {
    traces: { due: now.traces, nextAt: after(trace?.startedAt, kinds.traces) },
    threads: kinds.threads === null ? NOTHING : { due: now.threads, nextAt: null },
    deletedThreads: { due: now.deletedThreads, nextAt: after(thread?.deletedAt, kinds.deletedThreads) },
    audit: { due: now.audit, nextAt: after(audit?.createdAt, kinds.audit) },
    files: kinds.fileVersions === null ? NOTHING : { due: now.fileVersions, nextAt: null },
    events: NOTHING,
    other: NOTHING,
  };
}

const NOTHING: Going = { due: null, nextAt: null };

/** Links are not followed; entries that vanish while being read count as nothing. */
async function measureFolder(folder: string, sinceMs: number): Promise<{ bytes: number; recentBytes: number }> {
  const sum = { bytes: 0, recentBytes: 0 };
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for await (const place of entriesOf(next, waiting)) {
      const facts = await stat(place).catch(() => null);
      sum.bytes += facts?.size ?? 0;
      if (facts && facts.mtimeMs >= sinceMs) sum.recentBytes += facts.size;
    }
  }
  return sum;
}

/** The files in the folder; its subfolders are added to `waiting`. */
async function* entriesOf(folder: string, waiting: string[]): AsyncGenerator<string> {
  const opened = await opendir(folder).catch(() => null);
  for await (const entry of opened ?? []) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) waiting.push(place);
    if (entry.isFile()) yield place;
  }
}
