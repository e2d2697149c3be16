import "server-only";
import type { DocumentCheck } from "@/lib/schema/files/document-check";
import { DocumentRefused } from "@/lib/server/files/documents/document";
import { readFileDocument } from "@/lib/server/files/documents/read-document";

/**
 * Reads a file as the tool `read_file` would, within the same limits, and says why it can't be read. Nothing is stored;
 * what was read stays in the cache for the run that follows. A file that is no document is not refused.
 */
export async function checkDocument(
  file: { readonly path: string; readonly bytes: Uint8Array },
  signal: AbortSignal,
): Promise<DocumentCheck> {
  try {
    await readFileDocument(file, signal);
    return { refused: null };
  } catch (error) {
    if (error instanceof DocumentRefused) return { refused: error.message };
    throw error;
  }
}
