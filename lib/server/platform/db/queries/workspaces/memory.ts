import type { Database } from "@/lib/server/platform/db/database";
import { type SqlValue, sqlJson } from "@/lib/server/platform/db/dialect";

/** The last version of a file that may be a memory document. */
export interface LastDocumentVersion {
  readonly workspaceId: string;
  readonly path: string;
  readonly version: number;
  readonly blobHash: string;
  readonly authorId: string | null;
  readonly runId: string | null;
  readonly toolCallId: string | null;
  readonly createdAt: string;
}

interface DocumentPage {
  readonly workspaceIds: readonly string[];
  /** Names that may be documents; daily notes are found in addition. */
  readonly paths: readonly string[];
  /** Only daily notes of this month (`202611`). */
  readonly month?: string;
  readonly after?: { readonly workspaceId: string; readonly path: string };
  readonly limit: number;
}

/** The existing files of these workspaces with such a name, by workspace and path. */
export async function selectDocuments(database: Database, page: DocumentPage): Promise<LastDocumentVersion[]> {
  const workspaces = database.dialect.rows("w", { id: "text" }, "$1");
  const names = database.dialect.rows("n", { path: "text" }, "$2");
  const parameters: SqlValue[] = [
    sqlJson(page.workspaceIds.map((id) => ({ id }))),
    sqlJson(page.paths.map((path) => ({ path }))),
    `memory/${page.month ?? "______"}/________.md`,
  ];
  const rest = page.after ? `and (f."workspaceId" > $4 or (f."workspaceId" = $4 and f."path" > $5))` : "";
  if (page.after) parameters.push(page.after.workspaceId, page.after.path);
  const sql = `select v."workspaceId", v."path", v."version", v."blobHash", v."authorId", v."runId", v."toolCallId",
      v."createdAt"
    from (select f."workspaceId", f."path", max(f."version") as "version" from "file_version" f
      where f."workspaceId" in (select w."id" from ${workspaces}) and (f."path" like $3
        or f."path" in (select n."path" from ${names})) ${rest}
      group by f."workspaceId", f."path") as latest
    join "file_version" v on v."workspaceId" = latest."workspaceId" and v."path" = latest."path"
      and v."version" = latest."version"
    where v."blobHash" is not null
    order by v."workspaceId", v."path" limit ${page.limit}`;
  const rows = await database.raw<LastDocumentVersion>(sql, parameters);
  return rows.map((row) => ({ ...row, version: Number(row.version) }));
}

interface BlobText {
  readonly hash: string;
  readonly content: Uint8Array;
}

/** The contents of these blobs, unordered. */
export function selectBlobs(database: Database, hashes: readonly string[]): Promise<BlobText[]> {
  const wanted = database.dialect.rows("w", { hash: "text" }, "$1");
  const sql = `select b."hash", b."content" from "blob" b join ${wanted} on w."hash" = b."hash"`;
  return database.raw<BlobText>(sql, [sqlJson(hashes.map((hash) => ({ hash })))]);
}
