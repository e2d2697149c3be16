import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { MAX_UPLOAD_BYTES } from "../read-body";
import type { PersonFiles } from "./person-files";
import { type ZipEntry, zip } from "./zip";

const MAX_ARCHIVE_BYTES = 64 * 1024 * 1024;
const MAX_ARCHIVE_FILES = 5_000;

/**
 * A zip of everything below a folder, links left out; the paths in it begin below the folder. Throws
 * `payload_too_large` rather than leave a file out.
 */
export async function archiveFolder(files: PersonFiles, given: string): Promise<Uint8Array<ArrayBuffer>> {
  const folder = files.normalize(given);
  const paths = await findFiles(files, folder);
  return zip(readAll(files, folder, paths));
}

async function findFiles(files: PersonFiles, top: string): Promise<readonly string[]> {
  const found: string[] = [];
  let sizeBytes = 0;
  for await (const { path, size } of walk(files, top)) {
    found.push(path);
    sizeBytes += size;
    if (sizeBytes > MAX_ARCHIVE_BYTES || found.length > MAX_ARCHIVE_FILES) throw tooLarge();
  }
  return found;
}

/** Every file below a folder, the nearer ones first. */
async function* walk({ workspace }: PersonFiles, top: string): AsyncGenerator<{ path: string; size: number }> {
  const folders = [top];
  for (const folder of folders) {
    const entries = await workspace.list(folder);
    if (entries.omitted) throw tooLarge();
    const inside = entries.map((entry) => ({ ...entry, path: folder === "" ? entry.name : `${folder}/${entry.name}` }));
    folders.push(...inside.filter(({ type }) => type === "dir").map(({ path }) => path));
    yield* inside.filter(({ type }) => type === "file");
  }
}

async function* readAll(
  { workspace }: PersonFiles,
  folder: string,
  paths: readonly string[],
): AsyncGenerator<ZipEntry> {
  for (const path of paths) {
    const { bytes, sizeBytes } = await workspace.read(path, MAX_UPLOAD_BYTES);
    if (sizeBytes > bytes.byteLength) throw tooLarge();
    yield { path: folder === "" ? path : path.slice(folder.length + 1), bytes };
  }
}

function tooLarge(): AppError {
  return new AppError(
    "payload_too_large",
    "The folder is too large for one download (64 MB, 5,000 files). Open a folder inside it and download that.",
  );
}
