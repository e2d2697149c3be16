import type { Database } from "@/lib/server/platform/db/database";
import { sqlJson } from "@/lib/server/platform/db/dialect";
import type { StateFile, StateFileStore } from "@/lib/workspaces/state-workspace";
import { storeBlob } from "./blobs";

/** The files of one `state` workspace as rows; their bytes are blobs by content. */
export function createStateFileStore(database: Database, workspaceId: string): StateFileStore {
  return {
    async list(folder) {
      if (folder === "") {
        return database.raw<StateFile>(`select "path", "sizeBytes" from "workspace_file" where "workspaceId" = $1`, [
          workspaceId,
        ]);
      }
      const sql = `select "path", "sizeBytes" from "workspace_file"
        where "workspaceId" = $1 and substr("path", 1, length($2)) = $2`;
      return database.raw<StateFile>(sql, [workspaceId, `${folder}/`]);
    },
    async find(paths) {
      const wanted = database.dialect.rows("wanted", { path: "text" }, "$2");
      const sql = `select f."path", f."sizeBytes" from "workspace_file" f join ${wanted} on wanted."path" = f."path"
        where f."workspaceId" = $1`;
      return database.raw<StateFile>(sql, [workspaceId, sqlJson(paths.map((path) => ({ path })))]);
    },
    async read(path) {
      const sql = `select b."content" from "workspace_file" f join "blob" b on b."hash" = f."blobHash"
        where f."workspaceId" = $1 and f."path" = $2`;
      const [row] = await database.raw<{ content: Uint8Array }>(sql, [workspaceId, path]);
      return row ? new Uint8Array(row.content) : null;
    },
    async write(path, bytes) {
      const sql = `insert into "workspace_file" ("workspaceId", "path", "blobHash", "sizeBytes", "updatedAt")
        values ($1, $2, $3, $4, $5)
        on conflict ("workspaceId", "path") do update set "blobHash" = excluded."blobHash",
          "sizeBytes" = excluded."sizeBytes", "updatedAt" = excluded."updatedAt"`;
      const hash = await storeBlob(database, bytes);
      await database.raw(sql, [workspaceId, path, hash, bytes.byteLength, new Date()]);
    },
    async remove(path) {
      const sql = `delete from "workspace_file" where "workspaceId" = $1 and "path" = $2 returning "path"`;
      return (await database.raw(sql, [workspaceId, path])).length > 0;
    },
    async totalBytes() {
      const sql = `select coalesce(sum("sizeBytes"), 0) as "total" from "workspace_file" where "workspaceId" = $1`;
      const [row] = await database.raw<{ total: number }>(sql, [workspaceId]);
      return Number(row?.total ?? 0);
    },
  };
}
