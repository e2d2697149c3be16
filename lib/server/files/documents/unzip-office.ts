import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { DOCUMENT_LIMITS, DocumentRefused, tooMuchUnpacked } from "./document";

const MAX_PARTS = 10_000;

/** The parts of an Office file with the wanted names, as text. Their declared sizes are not trusted. */
export async function unzipOffice(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
): Promise<Map<string, string>> {
  const zip = await open(bytes);
  try {
    if (zip.entryCount > MAX_PARTS)
      throw new DocumentRefused(`It has ${zip.entryCount} parts; at most ${MAX_PARTS} are read.`);
    const parts = new Map<string, string>();
    let left: number = DOCUMENT_LIMITS.unpackedBytes;
    let declared = 0;
    for await (const entry of zip.eachEntry()) {
      declared += entry.uncompressedSize;
      if (declared > DOCUMENT_LIMITS.unpackedBytes) throw tooMuchUnpacked();
      if (!isWanted(entry.fileName)) continue;
      const content = await readPart(zip, entry, left);
      left -= content.byteLength;
      parts.set(entry.fileName, content.toString("utf8"));
    }
    return parts;
  } catch (error) {
    if (error instanceof DocumentRefused) throw error;
    throw damaged();
  } finally {
    zip.close();
  }
}

async function open(bytes: Uint8Array): Promise<ZipFile> {
  try {
    return await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      lazyEntries: true,
      validateEntrySizes: true,
    });
  } catch {
    throw damaged();
  }
}

async function readPart(zip: ZipFile, entry: Entry, left: number): Promise<Buffer> {
  if (entry.isEncrypted()) throw new DocumentRefused("It is protected by a password. Save it without one.");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > left) throw tooMuchUnpacked();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function damaged(): DocumentRefused {
  return new DocumentRefused("It is no Office file of today (docx, xlsx), or it is damaged.");
}
