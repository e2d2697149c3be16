import "server-only";
import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { Workspace } from "@/lib/agent/workspace/workspace";
import { AppError } from "@/lib/schema/app-error";
import { MAX_UPLOAD_BYTES } from "@/lib/server/http/read-body";
import { webStream } from "@/lib/server/http/web-stream";
import type { UserFiles } from "./user-files";

const MAX_ARCHIVE_BYTES = 64 * 1024 * 1024;
const MAX_ARCHIVE_FILES = 5_000;

/**
 * A zip of everything below a folder, without links; its paths are relative to the folder. Each file is read only when
 * its turn to be sent comes, so only one is in memory at a time. Throws `payload_too_large` rather than omit a file; a
 * file that grows too large or disappears while the zip is sent aborts the stream.
 */
export async function archiveFolder(
  { workspace, normalize }: Pick<UserFiles, "workspace" | "normalize">,
  given: string,
): Promise<ReadableStream<Uint8Array>> {
  const folder = normalize(given);
  const zip = new ZipFile();
  // A PassThrough, which the library's types don't declare.
  const output = zip.outputStream as Readable;
  zip.on("error", (error) => output.destroy(error));
  for (const path of await findFiles(workspace, folder)) {
    zip.addReadStreamLazy(nameInArchive(folder === "" ? path : path.slice(folder.length + 1)), (give) => {
      const content = Readable.from(readFile(workspace, path), { objectMode: false });
      content.once("error", (error) => zip.emit("error", error));
      give(null, content);
    });
  }
  zip.end();
  return webStream(output);
}

/** Unzip programs read `\` as a slash and `C:` as a drive: yazl rejects such paths, a workspace does not. */
export function nameInArchive(path: string): string {
  return path.replaceAll("\\", "_").replace(/^([A-Za-z]):/u, "$1_");
}

async function findFiles(workspace: Workspace, top: string): Promise<readonly string[]> {
  const found: string[] = [];
  let sizeBytes = 0;
  for await (const { path, size } of walk(workspace, top)) {
    found.push(path);
    sizeBytes += size;
    const isTooMuch = sizeBytes > MAX_ARCHIVE_BYTES || found.length > MAX_ARCHIVE_FILES;
    if (isTooMuch || size > MAX_UPLOAD_BYTES) throw tooLarge();
  }
  return found;
}

/** Every file below a folder, closest first. Throws `payload_too_large` for a folder too long to be listed. */
export async function* walk(workspace: Workspace, top: string): AsyncGenerator<{ path: string; size: number }> {
  const folders = [top];
  for (const folder of folders) {
    const entries = await workspace.list(folder);
    if (entries.omitted) throw tooLarge();
    const inside = entries.map((entry) => ({ ...entry, path: folder === "" ? entry.name : `${folder}/${entry.name}` }));
    folders.push(...inside.filter(({ type }) => type === "dir").map(({ path }) => path));
    yield* inside.filter(({ type }) => type === "file");
  }
}

/** Throws `payload_too_large` for a file that can't be read whole. */
export async function* readFile(workspace: Workspace, path: string): AsyncGenerator<Uint8Array> {
  const { bytes, sizeBytes } = await workspace.read(path, MAX_UPLOAD_BYTES);
  if (sizeBytes > bytes.byteLength) throw tooLarge();
  yield bytes;
}

function tooLarge(): AppError {
  return new AppError(
    "payload_too_large",
    "The folder is too large for one download (64 MB, 5,000 files). Open a folder inside it and download that.",
  );
}
