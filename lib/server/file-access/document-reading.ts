import "server-only";
import type { DocumentCheck, DocumentReading } from "@/lib/schema/files/document";
import { DocumentRefused } from "@/lib/server/files/documents/document";
import { readFileDocument } from "@/lib/server/files/documents/read-document";

interface NamedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Reads a file as the tool `read_file` would, within the same limits, and says why it can't be read. */
export async function readForPerson(file: NamedFile, signal: AbortSignal): Promise<DocumentReading> {
  try {
    return { text: await readFileDocument(file, signal), refused: null };
  } catch (error) {
    if (error instanceof DocumentRefused) return { text: null, refused: error.message };
    throw error;
  }
}

/**
 * Whether a file can be read. Nothing is stored; what was read stays in the cache for the run that follows. A file that
 * is no document is not refused.
 */
export async function checkDocument(file: NamedFile, signal: AbortSignal): Promise<DocumentCheck> {
  const { refused } = await readForPerson(file, signal);
  return { refused };
}
