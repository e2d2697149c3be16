import type { Database } from "@/lib/server/platform/db/database";
import { sqlJson } from "@/lib/server/platform/db/dialect";

/** A blob stored again within this time is not touched. */
export const BLOB_STEP_MS = 3_600_000;

/** Stores the bytes once under their hash, and the time they were last stored: the sweep keeps what is still in use. */
export async function insertBlob(database: Database, hash: string, bytes: Uint8Array): Promise<void> {
  const sql = `insert into "blob" ("hash", "content", "sizeBytes", "createdAt") values ($1, $2, $3, $4)
    on conflict ("hash") do update set "createdAt" = excluded."createdAt" where "blob"."createdAt" < $5`;
  const now = Date.now();
  await database.raw(sql, [hash, bytes, bytes.byteLength, new Date(now), new Date(now - BLOB_STEP_MS)]);
}

/** A file of a `state` workspace. */
interface WorkspaceFile {
  readonly path: string;
  readonly sizeBytes: number;
}

/** Every file of the workspace, unordered. */
export function selectWorkspaceFiles(database: Database, workspaceId: string): Promise<WorkspaceFile[]> {
  return database.raw<WorkspaceFile>(`select "path", "sizeBytes" from "workspace_file" where "workspaceId" = $1`, [
    workspaceId,
  ]);
}

export function selectWorkspaceFilesBelow(
  database: Database,
  workspaceId: string,
  folder: string,
): Promise<WorkspaceFile[]> {
  const sql = `select "path", "sizeBytes" from "workspace_file"
    where "workspaceId" = $1 and substr("path", 1, length($2)) = $2`;
  return database.raw<WorkspaceFile>(sql, [workspaceId, `${folder}/`]);
}

/** Those of the paths that are files. */
export function selectWorkspaceFilesAt(
  database: Database,
  workspaceId: string,
  paths: readonly string[],
): Promise<WorkspaceFile[]> {
  const wanted = database.dialect.rows("wanted", { path: "text" }, "$2");
  const sql = `select f."path", f."sizeBytes" from "workspace_file" f join ${wanted} on wanted."path" = f."path"
    where f."workspaceId" = $1`;
  return database.raw<WorkspaceFile>(sql, [workspaceId, sqlJson(paths.map((path) => ({ path })))]);
}

/** The content of a file; null if there is none. */
export async function selectWorkspaceFileContent(
  database: Database,
  workspaceId: string,
  path: string,
): Promise<Uint8Array | null> {
  const sql = `select b."content" from "workspace_file" f join "blob" b on b."hash" = f."blobHash"
    where f."workspaceId" = $1 and f."path" = $2`;
  const [row] = await database.raw<{ content: Uint8Array }>(sql, [workspaceId, path]);
  return row ? new Uint8Array(row.content) : null;
}

interface NewContent {
  readonly hash: string;
  readonly sizeBytes: number;
}

/** Creates the file or replaces its content, whose blob is already stored. */
export async function upsertWorkspaceFile(
  database: Database,
  workspaceId: string,
  path: string,
  { hash, sizeBytes }: NewContent,
): Promise<void> {
  const sql = `insert into "workspace_file" ("workspaceId", "path", "blobHash", "sizeBytes", "updatedAt")
    values ($1, $2, $3, $4, $5)
    on conflict ("workspaceId", "path") do update set "blobHash" = excluded."blobHash",
      "sizeBytes" = excluded."sizeBytes", "updatedAt" = excluded."updatedAt"`;
  await database.raw(sql, [workspaceId, path, hash, sizeBytes, new Date()]);
}

/** False if there was no such file. */
export async function deleteWorkspaceFile(database: Database, workspaceId: string, path: string): Promise<boolean> {
  const sql = `delete from "workspace_file" where "workspaceId" = $1 and "path" = $2 returning "path"`;
  return (await database.raw(sql, [workspaceId, path])).length > 0;
}

export async function sumWorkspaceBytes(database: Database, workspaceId: string): Promise<number> {
  const sql = `select coalesce(sum("sizeBytes"), 0) as "total" from "workspace_file" where "workspaceId" = $1`;
  const [row] = await database.raw<{ total: number }>(sql, [workspaceId]);
  return Number(row?.total ?? 0);
}
