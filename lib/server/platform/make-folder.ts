import { existsSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Creates `directory` and the parents it lacks; a folder that is already there is left as it is. Each is created by
 * itself, because Node's recursive `mkdir` never returns where nothing can be created (below /proc), and names the
 * wrong folder on a read-only file system. Throws the system's error for the first folder that can't be created.
 */
export function makeFolder(directory: string, mode = 0o777): void {
  const missing: string[] = [];
  const wanted = path.resolve(directory);
  for (let folder = wanted; !existsSync(folder); folder = path.dirname(folder)) missing.unshift(folder);
  if (missing.length === 0 && !isFolder(wanted)) missing.push(wanted);
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // Another process may have created it since.
      if (!isFolder(folder)) throw error;
    }
  }
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
