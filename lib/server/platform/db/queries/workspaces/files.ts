import { sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { jsonRows } from "@/lib/server/platform/db/kysely/json-rows";

/** A blob stored again within this time is not touched. */
export const BLOB_STEP_MS = 3_600_000;

/** Stores the bytes once under their hash, and the time they were last stored: the sweep keeps what is still in use. */
export async function insertBlob(database: Database, hash: string, bytes: Uint8Array): Promise<void> {
  const now = Date.now();
  await database.execute(
    build
      .insertInto("blob")
      .values({ hash, content: bytes, sizeBytes: bytes.byteLength, createdAt: new Date(now) })
      .onConflict((conflict) =>
        conflict
          .column("hash")
          .doUpdateSet((eb) => ({ createdAt: eb.ref("excluded.createdAt") }))
          .where("blob.createdAt", "<", sqlTimestamp(new Date(now - BLOB_STEP_MS))),
      ),
  );
}

/** A file of a `state` workspace. */
interface WorkspaceFile {
  readonly path: string;
  readonly sizeBytes: number;
}

/** Every file of the workspace, unordered. */
export function selectWorkspaceFiles(database: Database, workspaceId: string): Promise<WorkspaceFile[]> {
  return database.execute(selectFiles(workspaceId));
}

function selectFiles(workspaceId: string) {
  return build
    .selectFrom("workspace_file as f")
    .select(["f.path", "f.sizeBytes"])
    .where("f.workspaceId", "=", workspaceId);
}

export function selectWorkspaceFilesBelow(
  database: Database,
  workspaceId: string,
  folder: string,
): Promise<WorkspaceFile[]> {
  const start = `${folder}/`;
  // The text's length as the database counts it, which is not JavaScript's.
  const startOfPath = sql<string>`substr("f"."path", 1, length(cast(${start} as text)))`;
  return database.execute(selectFiles(workspaceId).where(startOfPath, "=", start));
}

/** Those of the paths that are files. */
export function selectWorkspaceFilesAt(
  database: Database,
  workspaceId: string,
  paths: readonly string[],
): Promise<WorkspaceFile[]> {
  const wanted = jsonRows(
    database.dialect,
    { path: "text" },
    paths.map((path) => ({ path })),
  );
  return database.execute(selectFiles(workspaceId).innerJoin(wanted.as("wanted"), "wanted.path", "f.path"));
}

const fileContent = hotStatement((value: PlaceFor<{ workspaceId: string; path: string }>) =>
  build
    .selectFrom("workspace_file as f")
    .innerJoin("blob as b", "b.hash", "f.blobHash")
    .select("b.content")
    .where("f.workspaceId", "=", value("workspaceId"))
    .where("f.path", "=", value("path")),
);

/** The content of a file; null if there is none. */
export async function selectWorkspaceFileContent(
  database: Database,
  workspaceId: string,
  path: string,
): Promise<Uint8Array | null> {
  const [row] = await database.execute(fileContent({ workspaceId, path }));
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
  await database.execute(
    build
      .insertInto("workspace_file")
      .values({ workspaceId, path, blobHash: hash, sizeBytes, updatedAt: new Date() })
      .onConflict((conflict) =>
        conflict.columns(["workspaceId", "path"]).doUpdateSet((eb) => ({
          blobHash: eb.ref("excluded.blobHash"),
          sizeBytes: eb.ref("excluded.sizeBytes"),
          updatedAt: eb.ref("excluded.updatedAt"),
        })),
      ),
  );
}

/** False if there was no such file. */
export async function deleteWorkspaceFile(database: Database, workspaceId: string, path: string): Promise<boolean> {
  const file = build.deleteFrom("workspace_file").where("workspaceId", "=", workspaceId).where("path", "=", path);
  return (await database.execute(file.returning("path"))).length > 0;
}

export async function sumWorkspaceBytes(database: Database, workspaceId: string): Promise<number> {
  const [row] = await database.execute(
    build
      .selectFrom("workspace_file")
      .select((eb) => eb.fn.sum<number | null>("sizeBytes").as("total"))
      .where("workspaceId", "=", workspaceId),
  );
  return row?.total ?? 0;
}
