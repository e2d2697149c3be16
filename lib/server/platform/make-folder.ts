import { existsSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Creates `directory` and the parents it lacks; a folder that is already there is left as it is. Each is created by
 * itself, because Node's recursive `mkdir` never returns where nothing can be created (below /proc), and names the
 * wrong folder on a read-only file system. Throws the system's error for the first folder that can't be created.
 */
export function makeFolder(directory: string, mode = 0o777): void {
  const wanted = path.resolve(directory);
  for (const folder of missingFrom(wanted)) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // Another process may have created it since.
      if (!isFolder(folder)) throw error;
    }
  }
}

/** The folders to create, outermost first. A file in the place of the last one is among them, so that its creation fails. */
function missingFrom(wanted: string): string[] {
  const missing = isFolder(wanted) ? [] : [wanted];
  for (let parent = path.dirname(wanted); missing.length > 0 && !existsSync(parent); parent = path.dirname(parent)) {
    if (parent === missing[0]) break;
    missing.unshift(parent);
  }
  return missing;
}

function isFolder(folder: string): boolean {
  try {
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
