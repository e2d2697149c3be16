import { memoryKind } from "@/lib/agent/memory-kind";
import type { FileChange } from "@/lib/agent/workspace";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isNothingChanged, NothingChanged } from "@/lib/server/platform/db/errors";
import { atOnce, retry } from "@/lib/server/platform/retry";
import { fileChangeDisplay } from "@/lib/tools/files/file-change-display";
import { storeBlob } from "./blobs";
import type { HistoryOwner } from "./file-history";

/** Who made a change; nobody when it came from outside. */
export type VersionOwner = Omit<HistoryOwner, "ownerId"> & { readonly ownerId: string | null };

interface Version {
  readonly version: number;
}

/** Others may take the number that was next: then the one after it is tried. */
const MAX_RETRIES = 19;

/**
 * Keeps `content` (null: the file is gone) as the next version and returns its number. Where another run looked
 * between the write and this, and kept the content as a change from outside, that version gets its real author.
 */
export async function insertVersion(
  database: Database,
  owner: VersionOwner,
  change: FileChange,
  content: Uint8Array | null,
): Promise<number> {
  const hash = content === null ? null : await storeBlob(database, content);
  const row = { hash, sizeBytes: content?.byteLength ?? 0 };
  const mayTakeOver = hash !== null && hasAuthor(owner) && isDifferent(change);
  const insert = async () => {
    const version =
      (mayTakeOver ? await takeOver(database, owner, change, hash) : null) ??
      (await insertNext(database, owner, change, row, mayTakeOver ? UNLESS_LAST_BY_NOBODY : ""));
    if (version === null) throw new NothingChanged(`No version of ${change.path} could be kept: others change it.`);
    return version;
  };
  const version = await retry(insert, { when: isNothingChanged, delays: atOnce(MAX_RETRIES) });
  await recordMemory(database, owner, change, { version, hash });
  return version;
}

/** Keeps content that nobody here wrote, unless the last version has it already. */
export async function insertObserved(
  database: Database,
  owner: VersionOwner,
  path: string,
  content: Uint8Array,
): Promise<void> {
  const hash = await storeBlob(database, content);
  const change = { path, before: null, after: content };
  const row = { hash, sizeBytes: content.byteLength };
  const version = await insertNext(database, owner, change, row, UNLESS_LAST);
  if (version !== null) await recordMemory(database, owner, change, { version, hash });
}

const lastHash = (condition: string) => `having coalesce((select l."blobHash" from "file_version" l
  where l."workspaceId" = $2 and l."path" = $3 ${condition} order by l."version" desc limit 1), '') <> $4`;

const UNLESS_LAST = lastHash("");
const UNLESS_LAST_BY_NOBODY = lastHash(`and l."runId" is null and l."authorId" is null
  and l."version" = (select max("version") from "file_version" where "workspaceId" = $2 and "path" = $3)`);

function hasAuthor({ runId, ownerId }: VersionOwner): boolean {
  return runId !== null || ownerId !== null;
}

function isDifferent({ before, after }: FileChange): boolean {
  return before === null || after === null || Buffer.compare(before, after) !== 0;
}

async function takeOver(
  database: Database,
  { workspaceId, ownerId, threadId, runId }: VersionOwner,
  { path, toolCallId, spanId }: FileChange,
  hash: string,
): Promise<number | null> {
  const sql = `update "file_version" set "authorId" = $4, "threadId" = $5, "runId" = $6, "toolCallId" = $7, "spanId" = $8
    where "workspaceId" = $1 and "path" = $2 and "blobHash" = $3 and "runId" is null and "authorId" is null
      and "version" = (select max(l."version") from "file_version" l where l."workspaceId" = $1 and l."path" = $2)
    returning "version"`;
  const author = [ownerId, threadId, runId, toolCallId ?? null, spanId ?? null];
  const [row] = await database.raw<Version>(sql, [workspaceId, path, hash, ...author]);
  return row?.version ?? null;
}

async function insertNext(
  database: Database,
  owner: VersionOwner,
  change: FileChange,
  { hash, sizeBytes }: { readonly hash: string | null; readonly sizeBytes: number },
  condition: string,
): Promise<number | null> {
  const { addedLines, removedLines } = countLines(change);
  const sql = `insert into "file_version" ("id", "workspaceId", "path", "version", "blobHash", "sizeBytes", "addedLines",
      "removedLines", "authorId", "threadId", "runId", "toolCallId", "spanId", "createdAt")
    select $1, $2, $3, coalesce(max("version"), 0) + 1, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13
    from "file_version" where "workspaceId" = $2 and "path" = $3 ${condition}
    on conflict ("workspaceId", "path", "version") do nothing
    returning "version"`;
  const [row] = await database.raw<Version>(sql, [
    createId("fv"),
    owner.workspaceId,
    change.path,
    hash,
    sizeBytes,
    addedLines,
    removedLines,
    owner.ownerId,
    owner.threadId,
    owner.runId,
    change.toolCallId ?? null,
    change.spanId ?? null,
    new Date(),
  ]);
  return row?.version ?? null;
}

async function recordMemory(
  database: Database,
  owner: VersionOwner,
  { path, spanId }: FileChange,
  { version, hash }: { readonly version: number; readonly hash: string | null },
): Promise<void> {
  const kind = memoryKind(path, owner.memoryPaths);
  if (hash === null || kind === null) return;
  const { workspaceId, agentId, ownerId, runId } = owner;
  const author = { author: authorOf(owner), authorId: ownerId, runId, spanId: spanId ?? null };
  await database.memoryVersion.upsert({
    where: { workspaceId_path_version: { workspaceId, path, version } },
    create: { id: createId("mv"), workspaceId, agentId, ownerId, path, kind, version, blobHash: hash, ...author },
    update: author.author === "outside" ? { version } : author,
    select: { id: true },
  });
}

function authorOf({ runId, ownerId }: VersionOwner): "agent" | "user" | "outside" {
  if (runId !== null) return "agent";
  return ownerId === null ? "outside" : "user";
}

/** How many lines a change added and took away; none for a deletion. */
export function countLines({ path, before, after }: FileChange): { addedLines: number; removedLines: number } {
  if (after === null) return { addedLines: 0, removedLines: 0 };
  const { addedLines, removedLines } = fileChangeDisplay({ path, before, after });
  return { addedLines, removedLines };
}
