import { constants, promises as fs } from "node:fs";
import { WorkspaceError } from "@/lib/agent/workspace/workspace";

export type FileHandle = fs.FileHandle;

/** Opens a folder and never what a link points at. */
export const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** The folder that holds one workspace. Its files belong to `uid`, the user of its sandbox; null means to us. */
export interface LocalRoot {
  readonly path: string;
  readonly uid: number | null;
  /** Makes the folder at the first use. The caller closes the handle. */
  open(): Promise<FileHandle>;
}

/**
 * The root remembers which folder it opened first. When another is at its path later (somebody replaced a parent
 * folder or restored a backup), it refuses instead of working in the wrong place.
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

/** A command may have taken our own permissions away. The path's parents are ours, so the name can't be a trap. */
async function openOwned(path: string): Promise<FileHandle> {
  try {
    return await fs.open(path, FOLDER_FLAGS);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EACCES")) throw error;
    await fs.chmod(path, 0o700);
    return fs.open(path, FOLDER_FLAGS);
  }
}

/** Which folder a handle refers to. Repairs its owner and permissions first, so that its user can work in it. */
async function folderIdentity(handle: FileHandle, uid: number | null): Promise<string> {
  const stats = await handle.stat({ bigint: true });
  if (uid !== null && stats.uid !== BigInt(uid)) await handle.chown(uid, uid);
  if ((stats.mode & 0o700n) !== 0o700n) await handle.chmod(0o700);
  return `${stats.dev}:${stats.ino}`;
}
