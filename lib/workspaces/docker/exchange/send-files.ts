import { constants, promises as fs } from "node:fs";
import { at, openParent } from "@/lib/workspaces/local/local-descriptors";
import type { FileHandle, LocalRoot } from "@/lib/workspaces/local/local-root";
import type { LocalEntry } from "./local-tree";
import { TAR_END, tarHeader, tarPadding } from "./tar";

const CHUNK_BYTES = 256 * 1_024;
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** These entries of the workspace as an archive. What has vanished or become something else is left out. */
export async function* packFiles(
  root: LocalRoot,
  entries: Iterable<readonly [path: string, entry: LocalEntry]>,
): AsyncGenerator<Buffer> {
  for (const [path, { kind, mode, target }] of entries) {
    if (kind === "file") yield* packFile(root, path);
    else
      yield tarHeader({ path: `./${path}`, kind, mode: kind === "folder" ? mode | 0o700 : mode, sizeBytes: 0, target });
  }
  yield TAR_END;
}

async function* packFile(root: LocalRoot, path: string): AsyncGenerator<Buffer> {
  await using file = await openFile(root, path);
  if (file === null) return;
  const stats = await file.stat();
  if (!stats.isFile()) return;
  yield tarHeader({ path: `./${path}`, kind: "file", mode: stats.mode & 0o777, sizeBytes: stats.size, target: "" });
  for (let sent = 0; sent < stats.size; ) {
    // A file that shrinks meanwhile is filled with zeros; its change is seen and sent the next time.
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, stats.size - sent));
    const { bytesRead } = await file.read(chunk, 0, chunk.byteLength, sent);
    sent += bytesRead === 0 ? chunk.byteLength : bytesRead;
    yield bytesRead === 0 ? chunk : chunk.subarray(0, bytesRead);
  }
  yield tarPadding(stats.size);
}

async function openFile(root: LocalRoot, path: string): Promise<FileHandle | null> {
  const parent = await openParent(root, path).catch(() => null);
  if (parent === null) return null;
  await using folder = parent.folder;
  return await fs.open(at(folder, parent.name), READ_FLAGS).catch(() => null);
}

/** A folder of this server, followed as it stands, such as that of the installed skills. Everybody may read it. */
export async function* packFolder(folder: string): AsyncGenerator<Buffer> {
  for (const entry of await fs.readdir(folder, { recursive: true, withFileTypes: true })) {
    const source = `${entry.parentPath}/${entry.name}`;
    const path = `.${source.slice(folder.length)}`;
    if (entry.isDirectory()) yield tarHeader({ path, kind: "folder", mode: 0o755, sizeBytes: 0, target: "" });
    if (!entry.isFile()) continue;
    const content = await fs.readFile(source);
    const mode = (await fs.stat(source)).mode & 0o111 ? 0o555 : 0o444;
    yield tarHeader({ path, kind: "file", mode, sizeBytes: content.byteLength, target: "" });
    yield content;
    yield tarPadding(content.byteLength);
  }
  yield TAR_END;
}
