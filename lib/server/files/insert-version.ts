import { createHash } from "node:crypto";
import { memoryKind } from "@/lib/agent/workspace/memory-kind";
import type { FileChange } from "@/lib/agent/workspace/workspace";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isNothingChanged, NothingChanged } from "@/lib/server/platform/db/errors";
import {
  insertFileVersion,
  type NewVersion,
  updateVersionAuthor,
} from "@/lib/server/platform/db/queries/workspaces/file-versions";
import { atOnce, retry } from "@/lib/server/platform/retry";
import { fileChangeDisplay } from "@/lib/tools/files/file-change-display";
import { storeBlob } from "./blobs";
import type { HistoryOwner } from "./file-history";
import { lineHashes } from "./line-hashes";

/** The author of a change; nobody if it came from outside. */
export type VersionOwner = Omit<HistoryOwner, "ownerId"> & { readonly ownerId: string | null };

/** Another writer may take the next number of the file or the workspace: then the one after it is tried. */
const MAX_RETRIES = 99;

/**
 * Stores `content` (null: the file is gone) as the next version and returns its number. If another run looked between
 * the write and this call, and recorded the content as a change from outside, that version gets its real author.
 */
export async function insertVersion(
  database: Database,
  owner: VersionOwner,
  change: FileChange,
  content: Uint8Array | null,
): Promise<number> {
  const hash = content === null ? null : await storeBlob(database, content);
  const columns = versionColumns(owner, change, { hash, sizeBytes: content?.byteLength ?? 0 });
  const mayTakeOver = hash !== null && hasAuthor(owner) && isDifferent(change);
  const insert = async () => {
    const version =
      (mayTakeOver ? await updateVersionAuthor(database, columns) : null) ??
      (await insertFileVersion(database, columns, mayTakeOver ? "unless-same-by-nobody" : "always"));
    if (version === null)
      throw new NothingChanged(`No version of ${change.path} could be kept: others keep changing it.`);
    return version;
  };
  const version = await retry(insert, { when: isNothingChanged, delays: atOnce(MAX_RETRIES) });
  await recordMemory(database, owner, change, { version, hash, content });
  return version;
}

/** Stores content that was not written here, unless it is already the last version. */
export async function insertObserved(
  database: Database,
  owner: VersionOwner,
  path: string,
  content: Uint8Array,
): Promise<void> {
  const hash = await storeBlob(database, content);
  const change = { path, before: null, after: content, was: UNKNOWN };
  const columns = versionColumns(owner, change, { hash, sizeBytes: content.byteLength });
  const version = await insertFileVersion(database, columns, "unless-same");
  if (version !== null) await recordMemory(database, owner, change, { version, hash, content });
}

function hasAuthor({ runId, ownerId }: VersionOwner): boolean {
  return runId !== null || ownerId !== null;
}

function isDifferent({ before, after }: FileChange): boolean {
  return before === null || after === null || Buffer.compare(before, after) !== 0;
}

interface Content {
  readonly hash: string | null;
  readonly sizeBytes: number;
}

/** The columns of a version. */
function versionColumns(owner: VersionOwner, change: FileChange, { hash, sizeBytes }: Content): NewVersion {
  const { workspaceId, ownerId: authorId, threadId, runId, undoId = null } = owner;
  const { path, toolCallId = null, spanId = null, step = null } = change;
  const content = { blobHash: hash, sizeBytes, ...countLines(change) };
  return {
    workspaceId,
    path,
    ...content,
    authorId,
    threadId,
    runId,
    undoId,
    toolCallId,
    spanId,
    step,
    before: beforeOf(change),
  };
}

/** What was there before a change, where that is not the hash of a content. */
export const ABSENT = "absent";
export const UNKNOWN = "unknown";

function beforeOf({ before, was }: FileChange): string {
  if (was !== undefined) return was;
  return before === null ? ABSENT : createHash("sha256").update(before).digest("hex");
}

interface StoredVersion {
  readonly version: number;
  readonly hash: string | null;
  /** Null if the file is gone. */
  readonly content: Uint8Array | null;
}

async function recordMemory(
  database: Database,
  owner: VersionOwner,
  { path, spanId }: FileChange,
  { version, hash, content }: StoredVersion,
): Promise<void> {
  const kind = memoryKind(path, owner.memoryPaths);
  if (kind === null) return;
  const { workspaceId, agentId, ownerId, runId, undoId = null } = owner;
  const author = { author: authorOf(owner), authorId: ownerId, runId, undoId, spanId: spanId ?? null };
  await database.memoryVersion.upsert({
    where: { workspaceId_path_version: { workspaceId, path, version } },
    create: {
      id: createId("mv"),
      ...{ workspaceId, agentId, ownerId, path, kind, version, blobHash: hash },
      lineHashes: content && lineHashes(content),
      ...author,
    },
    update: author.author === "outside" ? { version } : author,
    select: { id: true },
  });
}

function authorOf({ runId, ownerId }: VersionOwner): "agent" | "user" | "outside" {
  if (runId !== null) return "agent";
  return ownerId === null ? "outside" : "user";
}

/** How many lines a change added and removed; none for a deletion. */
export function countLines({ path, before, after }: FileChange): { addedLines: number; removedLines: number } {
  if (after === null) return { addedLines: 0, removedLines: 0 };
  const { addedLines, removedLines } = fileChangeDisplay({ path, before, after });
  return { addedLines, removedLines };
}
