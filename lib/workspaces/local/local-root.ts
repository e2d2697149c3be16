import { constants, promises as fs } from "node:fs";
import { WorkspaceError } from "@/lib/agent/workspace/workspace";

export type FileHandle = fs.FileHandle;

/** Opens only folders, never the target of a link. */
export const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** The folder of one workspace. Its files belong to `uid`, the user of its sandbox; null means the server's user. */
export interface LocalRoot {
  readonly path: string;
  readonly uid: number | null;
  /** Creates the folder on first use. The caller closes the handle. */
  open(): Promise<FileHandle>;
}

/**
 * Creates a root that remembers the identity of the first folder it opens. If its path later refers to another folder
 * (a parent was replaced or a backup restored), it refuses to work in the wrong place.
 */
export function createLocalRoot(path: string, uid: number | null): LocalRoot {
  let identity: string | null = null;
  return {
    path,
    uid,
    async open() {
      if (identity === null) await fs.mkdir(path, { recursive: true, mode: 0o700 });
      const handle = await openOwned(path).catch((error) => {
        throw identity === null ? error : exchanged();
      });
      try {
        const found = await folderIdentity(handle, uid);
        identity ??= found;
        if (identity === found) return handle;
        throw new WorkspaceError("failed", "The workspace's folder was replaced by another one; start the run again.");
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
  };
}

function exchanged(): WorkspaceError {
  const message = "The workspace's folder was removed or replaced by another one; start the run again.";
  return new WorkspaceError("failed", message);
}

/**
 * Restores the server's own permissions if a command removed them. The server owns all parent folders, so the name
 * can't be a trap.
 */
async function openOwned(path: string): Promise<FileHandle> {
  try {
    return await fs.open(path, FOLDER_FLAGS);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EACCES")) throw error;
    await fs.chmod(path, 0o700);
    return fs.open(path, FOLDER_FLAGS);
  }
}

/** The identity of an open folder. First repairs its owner and permissions, so that its user can work in it. */
async function folderIdentity(handle: FileHandle, uid: number | null): Promise<string> {
  const stats = await handle.stat({ bigint: true });
  if (uid !== null && stats.uid !== BigInt(uid)) await handle.chown(uid, uid);
  if ((stats.mode & 0o700n) !== 0o700n) await handle.chmod(0o700);
  return `${stats.dev}:${stats.ino}`;
}
