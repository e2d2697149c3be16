import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { AppError } from "@/lib/schema/app-error";
import { SKILL_LIMITS } from "@/lib/schema/skills/skill";
import type { UploadedSkillFile } from "./skill-package";

/** Folders count as entries too. */
const MAX_ENTRIES = 4 * SKILL_LIMITS.files;
const FILE_TYPE_MASK = 0o170000;
const LINK = 0o120000;
const REGULAR = [0, 0o100000];

/**
 * The files of a zip archive, unpacked in memory. SKILL_LIMITS applies both to the declared sizes and to the actual
 * output, so that a zip bomb ends after a few megabytes. Throws `invalid_input` for links, encryption, paths that lead
 * outside, and corrupt archives.
 */
export async function readZip(bytes: Uint8Array): Promise<UploadedSkillFile[]> {
  const zip = await open(bytes);
  try {
    if (zip.entryCount > MAX_ENTRIES) throw refuse(`it has ${zip.entryCount} entries; at most ${MAX_ENTRIES} fit.`);
    return await readEntries(zip);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refuse(`${error instanceof Error ? error.message : String(error)}.`, error);
  } finally {
    zip.close();
  }
}

async function open(bytes: Uint8Array): Promise<ZipFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return await fromBufferPromise(buffer, { lazyEntries: true, strictFileNames: true, validateEntrySizes: true });
  } catch (cause) {
    throw new AppError("invalid_input", "The file is not a zip archive, or it is damaged.", { cause });
  }
}

async function readEntries(zip: ZipFile): Promise<UploadedSkillFile[]> {
  const files: UploadedSkillFile[] = [];
  const budget = { bytes: SKILL_LIMITS.totalBytes };
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith("/")) continue;
    checkEntry(entry, budget.bytes);
    const bytes = await readEntry(zip, entry, budget.bytes);
    budget.bytes -= bytes.byteLength;
    files.push({ path: entry.fileName, bytes });
    if (files.length > 2 * SKILL_LIMITS.files) throw refuse(`it has more than ${SKILL_LIMITS.files} files.`);
  }
  return files;
}

function checkEntry(entry: Entry, budgetBytes: number): void {
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE_MASK;
  if (type === LINK) throw refuse(`${entry.fileName} is a link; a skill may hold only files and folders.`);
  if (!REGULAR.includes(type)) throw refuse(`${entry.fileName} is not a regular file.`);
  if (entry.isEncrypted()) throw refuse(`${entry.fileName} is encrypted; make the archive without a password.`);
  if (!entry.canDecodeFileData()) throw refuse(`${entry.fileName} is compressed in a way that is not supported.`);
  if (entry.uncompressedSize > SKILL_LIMITS.fileBytes) throw tooLarge(entry.fileName);
  if (entry.uncompressedSize > budgetBytes) throw tooLargeTogether();
}

async function readEntry(zip: ZipFile, entry: Entry, budgetBytes: number): Promise<Uint8Array> {
  const stream = await zip.openReadStreamPromise(entry);
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > SKILL_LIMITS.fileBytes) throw tooLarge(entry.fileName);
    if (sizeBytes > budgetBytes) throw tooLargeTogether();
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(Buffer.concat(chunks));
  if (crc32(bytes) !== entry.crc32) throw refuse(`${entry.fileName} is damaged; make the archive again.`);
  return bytes;
}

function tooLarge(path: string): AppError {
  return refuse(`${path} is larger than ${SKILL_LIMITS.fileBytes / 2 ** 20} MB.`);
}

function tooLargeTogether(): AppError {
  return refuse(`its files are larger than ${SKILL_LIMITS.totalBytes / 2 ** 20} MB together.`);
}

function refuse(reason: string, cause?: unknown): AppError {
  return new AppError("invalid_input", `The zip archive was refused: ${reason}`, { cause });
}
