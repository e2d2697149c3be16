import "server-only";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";

/**
 * Creates a folder and its parents, accessible only to the server's user. Avoids `mkdir`'s own `recursive`: if a file
 * system fails with ENOENT although the parent exists, as /proc does, that option retries forever.
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
