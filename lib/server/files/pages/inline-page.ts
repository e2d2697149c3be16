import "server-only";
import { z } from "zod";
import { askDocumentProcess } from "@/lib/server/files/documents/document-process";
import type { InlinedPage, ReadFile } from "./inline-files";

const MOST_FILES = 200;
const MOST_BYTES = 20_000_000;
const WORKER = "lib/server/files/pages/page-worker";

const Inlined = z.object({
  html: z.string(),
  inlined: z.array(z.object({ from: z.int(), to: z.int(), path: z.string(), replaced: z.int() })),
}) satisfies z.ZodType<InlinedPage>;

/**
 * A page of a workspace with its files in it (see `inlineFiles`), made in a document process. `bytes` is the page at
 * `path`. Throws DocumentRefused.
 */
export async function inlinePage(
  { path, bytes }: { readonly path: string; readonly bytes: Uint8Array },
  read: ReadFile,
  signal: AbortSignal,
): Promise<InlinedPage> {
  return Inlined.parse(await askDocumentProcess({ worker: WORKER, words: [path], bytes, read: limited(read), signal }));
}

function limited(read: ReadFile): ReadFile {
  let files = 0;
  let bytesLeft = MOST_BYTES;
  return async (path) => {
    if (++files > MOST_FILES) return null;
    const bytes = await read(path);
    if (bytes === null || bytes.byteLength > bytesLeft) return null;
    bytesLeft -= bytes.byteLength;
    return bytes;
  };
}
