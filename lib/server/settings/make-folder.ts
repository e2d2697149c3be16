import "server-only";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";

/**
 * Makes a folder, with those above it, for the server's user alone. Not by `mkdir`'s own `recursive`: where a file
 * system refuses with ENOENT though the folder above exists, as /proc does, that tries for ever.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EEXIST" && (await stat(folder)).isDirectory()) return;
    const above = path.dirname(folder);
    if (code !== "ENOENT" || above === folder || (await stat(above).catch(() => null)) !== null) throw error;
    await makeFolder(above);
    await mkdir(folder, { mode: 0o700 });
  }
}
