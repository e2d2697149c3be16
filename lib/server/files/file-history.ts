import { createHash } from "node:crypto";
import type { FileChange, FileHistory, FoundChange, FoundFiles } from "@/lib/agent/workspace/workspace";
import type { Database } from "@/lib/server/platform/db/database";
import {
  type LastHashes,
  selectLastHashes,
  selectLastHashesAt,
} from "@/lib/server/platform/db/queries/workspaces/file-versions";
import { readBlob } from "./blobs";
import { ABSENT, countLines, insertObserved, insertVersion, UNKNOWN } from "./insert-version";

/** The workspace and the person under which changes are recorded. */
export interface HistoryOwner {
  readonly workspaceId: string;
  readonly agentId: string;
  readonly ownerId: string;
  readonly threadId: string | null;
  /** Null if a person made the change. */
  readonly runId: string | null;
  /** The undo of a run that makes the changes, or takes itself back. */
  readonly undoId?: string;
  /** `memory.paths`, normalised. Changes of memory documents are memory versions too (D-64). */
  readonly memoryPaths: readonly string[];
  /** Called after each change. */
  readonly onChange?: (path: string) => void;
}

/**
 * Keeps every version of the files written by tools and people. The first change of an existing file also stores its
 * previous content, as version 1.
 */
export function createFileHistory(database: Database, owner: HistoryOwner): FileHistory {
  return {
    async record(change) {
      await keepOriginal(database, owner, change);
      const version = await insertVersion(database, owner, change, change.after);
      owner.onChange?.(change.path);
      return { version, ...countLines(change) };
    },
    recordFound: (found) => recordFound(database, owner, found),
    async observe(files) {
      const known = await selectLastHashesAt(
        database,
        owner.workspaceId,
        files.map(({ path }) => path),
      );
      const nobody = { ...owner, runId: null, threadId: null, ownerId: null };
      for (const { path, bytes } of files) {
        if (known.get(path) === createHash("sha256").update(bytes).digest("hex")) continue;
        await insertObserved(database, nobody, path, bytes);
      }
    },
  };
}

/** The number of files that may turn out to be gone: large enough for a workspace that a person can still overview. */
const MAX_KNOWN_FILES = 5_000;

async function recordFound(database: Database, owner: HistoryOwner, found: FoundFiles): Promise<FoundChange[]> {
  const paths = found.files.map(({ path }) => path);
  const changes = [
    ...(await recordDifferent(database, owner, found, await selectLastHashesAt(database, owner.workspaceId, paths))),
    ...(await recordGone(database, owner, found, await selectLastHashes(database, owner.workspaceId, MAX_KNOWN_FILES))),
  ];
  for (const { path } of changes) owner.onChange?.(path);
  return changes;
}

async function recordDifferent(
  database: Database,
  owner: HistoryOwner,
  { files, toolCallId, spanId, step }: FoundFiles,
  known: LastHashes,
): Promise<FoundChange[]> {
  const changes: FoundChange[] = [];
  for (const { path, bytes } of files) {
    const last = known.get(path) ?? null;
    if (last === createHash("sha256").update(bytes).digest("hex")) continue;
    const before = last === null ? null : await readBlob(database, last);
    // A file that has no version may have been there before the command.
    const was = last ?? (known.has(path) ? ABSENT : UNKNOWN);
    const change = { path, before, was, after: bytes, toolCallId, spanId, step };
    const version = await insertVersion(database, owner, change, bytes);
    changes.push({ path, operation: last === null ? "created" : "changed", version, ...countLines(change) });
  }
  return changes;
}

async function recordGone(
  database: Database,
  owner: HistoryOwner,
  { files, isGone, toolCallId, spanId, step }: FoundFiles,
  known: LastHashes,
): Promise<FoundChange[]> {
  const there = new Set(files.map(({ path }) => path));
  const changes: FoundChange[] = [];
  for (const [path, last] of known) {
    if (last === null || there.has(path) || !(await isGone(path))) continue;
    const change = { path, before: null, was: last, after: null, toolCallId, spanId, step };
    const version = await insertVersion(database, owner, change, null);
    changes.push({ path, operation: "deleted", version, addedLines: 0, removedLines: 0 });
  }
  return changes;
}

async function keepOriginal(database: Database, owner: HistoryOwner, { path, before }: FileChange): Promise<void> {
  if (before === null) return;
  const known = await database.fileVersion.findFirst({
    where: { workspaceId: owner.workspaceId, path },
    select: { id: true },
  });
  if (known) return;
  const nobody = { ...owner, runId: null, threadId: null, ownerId: null };
  await insertVersion(database, nobody, { path, before: null, after: before, was: UNKNOWN }, before);
}
