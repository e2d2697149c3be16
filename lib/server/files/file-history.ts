import { createHash } from "node:crypto";
import { memoryKind } from "@/lib/agent/memory-kind";
import type { FileChange, FileHistory } from "@/lib/agent/workspace";
import { fileChangeDisplay } from "@/lib/tools/file-change-display";
import { createId } from "../create-id";
import type { Database } from "../db";
import { storeBlob } from "./blobs";

/** Under which workspace and for whom changes are recorded. */
export interface HistoryOwner {
  readonly workspaceId: string;
  readonly agentId: string;
  readonly ownerId: string;
  readonly threadId: string | null;
  /** Null when a person made the change. */
  readonly runId: string | null;
  /** `memory.paths`, normalised. Changes of memory documents are memory versions too (D-64). */
  readonly memoryPaths: readonly string[];
  /** Told after each change. */
  readonly onChange?: (path: string) => void;
}

interface Version {
  readonly version: number;
}

/**
 * Keeps every version of the files that tools and people write. The first change of a file that was there before
 * keeps its earlier content too, as version 1.
 */
export function createFileHistory(database: Database, owner: HistoryOwner): FileHistory {
  return {
    async record(change) {
      await keepOriginal(database, owner, change);
      const version = await insertVersion(database, owner, change, change.after);
      owner.onChange?.(change.path);
      return { version, ...countLines(change) };
    },
    async observe(files) {
      const known = await lastHashes(
        database,
        owner.workspaceId,
        files.map(({ path }) => path),
      );
      const nobody = { ...owner, runId: null, threadId: null, ownerId: null };
      for (const { path, bytes } of files) {
        if (known.get(path) === createHash("sha256").update(bytes).digest("hex")) continue;
        await insertVersion(database, nobody, { path, before: null, after: bytes }, bytes);
      }
    },
  };
}

async function lastHashes(
  database: Database,
  workspaceId: string,
  paths: readonly string[],
): Promise<Map<string, string | null>> {
  if (paths.length === 0) return new Map();
  const rows = await database.fileVersion.findMany({
    where: { workspaceId, path: { in: [...paths] } },
    orderBy: [{ path: "asc" }, { version: "asc" }],
    select: { path: true, blobHash: true },
  });
  return new Map(rows.map(({ path, blobHash }) => [path, blobHash]));
}

async function keepOriginal(database: Database, owner: HistoryOwner, { path, before }: FileChange): Promise<void> {
  if (before === null) return;
  const known = await database.fileVersion.findFirst({
    where: { workspaceId: owner.workspaceId, path },
    select: { id: true },
  });
  if (known) return;
  const nobody = { ...owner, runId: null, threadId: null, ownerId: null };
  await insertVersion(database, nobody, { path, before: null, after: before }, before);
}

type VersionOwner = Omit<HistoryOwner, "ownerId"> & { readonly ownerId: string | null };

async function insertVersion(
  database: Database,
  owner: VersionOwner,
  change: FileChange,
  content: Uint8Array | null,
): Promise<number> {
  const hash = content === null ? null : await storeBlob(database, content);
  const { addedLines, removedLines } = countLines(change);
  const sql = `insert into "file_version" ("id", "workspaceId", "path", "version", "blobHash", "sizeBytes", "addedLines",
      "removedLines", "authorId", "threadId", "runId", "toolCallId", "spanId", "createdAt")
    select $1, $2, $3, coalesce(max("version"), 0) + 1, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13
    from "file_version" where "workspaceId" = $2 and "path" = $3
    returning "version"`;
  const now = new Date();
  const [row] = await database.raw<Version>(sql, [
    createId("fv"),
    owner.workspaceId,
    change.path,
    hash,
    content?.byteLength ?? 0,
    addedLines,
    removedLines,
    owner.ownerId,
    owner.threadId,
    owner.runId,
    change.toolCallId ?? null,
    change.spanId ?? null,
    now,
  ]);
  const version = row?.version ?? 1;
  const kind = memoryKind(change.path, owner.memoryPaths);
  if (hash !== null && kind !== null) await recordMemory(database, owner, change, { version, hash, kind, now });
  return version;
}

async function recordMemory(
  database: Database,
  owner: VersionOwner,
  { path, spanId }: FileChange,
  { version, hash, kind, now }: { version: number; hash: string; kind: string; now: Date },
): Promise<void> {
  await database.memoryVersion.create({
    data: {
      id: createId("mv"),
      workspaceId: owner.workspaceId,
      agentId: owner.agentId,
      ownerId: owner.ownerId,
      path,
      kind,
      version,
      blobHash: hash,
      author: authorOf(owner),
      authorId: owner.ownerId,
      runId: owner.runId,
      spanId: spanId ?? null,
      createdAt: now,
    },
    select: { id: true },
  });
}

function authorOf({ runId, ownerId }: VersionOwner): "agent" | "user" | "outside" {
  if (runId !== null) return "agent";
  return ownerId === null ? "outside" : "user";
}

function countLines({ path, before, after }: FileChange): { addedLines: number; removedLines: number } {
  if (after === null) return { addedLines: 0, removedLines: 0 };
  const { addedLines, removedLines } = fileChangeDisplay({ path, before, after });
  return { addedLines, removedLines };
}
