import type { Database } from "@/lib/server/platform/db/database";
import {
  deleteWorkspaceFile,
  selectWorkspaceFileContent,
  selectWorkspaceFiles,
  selectWorkspaceFilesAt,
  selectWorkspaceFilesBelow,
  sumWorkspaceBytes,
  upsertWorkspaceFile,
} from "@/lib/server/platform/db/queries/workspaces/files";
import type { StateFileStore } from "@/lib/workspaces/state-workspace";
import { storeBlob } from "./blobs";

/** The files of one `state` workspace as rows; their bytes are blobs addressed by content. */
export function createStateFileStore(database: Database, workspaceId: string): StateFileStore {
  return {
    list: (folder) =>
      folder === ""
        ? selectWorkspaceFiles(database, workspaceId)
        : selectWorkspaceFilesBelow(database, workspaceId, folder),
    find: (paths) => selectWorkspaceFilesAt(database, workspaceId, paths),
    read: (path) => selectWorkspaceFileContent(database, workspaceId, path),
    async write(path, bytes) {
      const hash = await storeBlob(database, bytes);
      await upsertWorkspaceFile(database, workspaceId, path, { hash, sizeBytes: bytes.byteLength });
    },
    remove: (path) => deleteWorkspaceFile(database, workspaceId, path),
    totalBytes: () => sumWorkspaceBytes(database, workspaceId),
  };
}
