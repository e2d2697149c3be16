import { promises as fs } from "node:fs";
import { WorkspaceError } from "@/lib/agent/workspace/workspace";
import { baseName, parentPath } from "@/lib/workspaces/paths";
import { type FileHandle, FOLDER_FLAGS, type LocalRoot } from "./local-root";

/**
 * The path of an entry in an open folder (openat, which Node lacks). `folder` can no longer be swapped for another;
 * `name` must be one component and the call must not follow a link there.
 */
export function at(folder: FileHandle, name: string): string {
  return `/proc/self/fd/${folder.fd}/${name}`;
}

/** The same for a name as stored on disk: commands can create names that are not UTF-8. */
export function atBytes(folder: FileHandle, name: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(at(folder, "")), name]);
}

/** The path of an open folder itself, for calls that take a path. */
export function self(folder: FileHandle): string {
  return `/proc/self/fd/${folder.fd}`;
}

/** Opens `path` component by component, following no link; `make` creates missing folders. The caller closes it. */
export async function openFolder(root: LocalRoot, path: string, make?: "make"): Promise<FileHandle> {
  let folder = await root.open();
  let walked = "";
  for (const name of path === "" ? [] : path.split("/")) {
    walked = walked === "" ? name : `${walked}/${name}`;
    const parent = folder;
    try {
      folder = await openChild(parent, name, make ? root.uid : undefined);
    } catch (error) {
      throw await explain(error, parent, name, walked);
    } finally {
      await parent.close();
    }
  }
  return folder;
}

/** Opens the folder that contains `path` and returns the last component. */
export async function openParent(root: LocalRoot, path: string, make?: "make") {
  if (path === "") throw new WorkspaceError("not_a_file", "The path is the workspace's own folder.");
  return { folder: await openFolder(root, parentPath(path), make), name: baseName(path) };
}

/** `owner` undefined: the folder must exist. Otherwise a missing folder is created and given to `owner`. */
async function openChild(parent: FileHandle, name: string, owner?: number | null): Promise<FileHandle> {
  const made = owner !== undefined && (await makeFolder(at(parent, name)));
  const child = await fs.open(at(parent, name), FOLDER_FLAGS);
  if (made && owner !== null) await child.chown(owner, owner);
  return child;
}

async function makeFolder(path: string): Promise<boolean> {
  try {
    await fs.mkdir(path, 0o755);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Describes for the model why a call on `name` in `folder` failed. */
export async function explain(error: unknown, folder: FileHandle, name: string, path: string): Promise<unknown> {
  const code = errorCode(error);
  if (code === "ENOENT") return new WorkspaceError("not_found", `There is nothing at ${path}.`);
  if (code === "ELOOP" || code === "ENOTDIR") {
    const stats = await fs.lstat(at(folder, name)).catch(() => null);
    if (stats?.isSymbolicLink()) return linkRefused(path);
    return new WorkspaceError("not_a_folder", `${path} is a file, not a folder.`);
  }
  return explainCode(code, path) ?? error;
}

export function linkRefused(path: string): WorkspaceError {
  return new WorkspaceError("invalid_path", `${path} is a symbolic link; links are not followed. Use the real path.`);
}

function explainCode(code: string | undefined, path: string): WorkspaceError | null {
  switch (code) {
    case "EACCES":
    case "EPERM":
      return new WorkspaceError("failed", `${path} cannot be accessed: its permissions forbid it.`);
    case "ENXIO":
    case "ENODEV":
      return new WorkspaceError("not_a_file", `${path} is not a regular file.`);
    case "ENAMETOOLONG":
      return new WorkspaceError("invalid_path", `${path} is too long.`);
    case "ENOSPC":
    case "EDQUOT":
      return new WorkspaceError("quota", "The disk is full: nothing can be written until files are deleted.");
    case "EISDIR":
      return new WorkspaceError("not_a_file", `${path} is a folder.`);
    case "ENOTEMPTY":
    case "EEXIST":
      return new WorkspaceError("failed", `The folder ${path} is not empty; remove what is in it first.`);
    default:
      return null;
  }
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
