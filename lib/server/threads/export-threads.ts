import "server-only";
import type { Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { Reader } from "@/lib/schema/users/user";
import { webStream } from "@/lib/server/http/web-stream";
import type { Services } from "@/lib/server/platform/services";
import { exportThread } from "./export-thread";
import { requireReadableThread } from "./thread-row";

/**
 * A zip with one file per thread, as `exportThread` writes it. Each file is produced only when its turn to be sent
 * comes. Throws `not_found` for a thread that is not the owner's.
 */
export async function exportThreads(
  services: Services,
  threadIds: readonly string[],
  viewer: Reader,
  format: "json" | "md",
): Promise<ReadableStream<Uint8Array>> {
  for (const id of threadIds) await requireReadableThread(services.database, id, viewer);
  const zip = new ZipFile();
  // A PassThrough, which the library's types don't declare.
  const output = zip.outputStream as Readable;
  zip.on("error", (error) => output.destroy(error));
  addFiles(services, zip, { threadIds, viewer, format }).catch((error: unknown) => output.destroy(error as Error));
  return webStream(output);
}

interface ThreadsExport {
  readonly threadIds: readonly string[];
  readonly viewer: Reader;
  readonly format: "json" | "md";
}

async function addFiles(services: Services, zip: ZipFile, { threadIds, viewer, format }: ThreadsExport) {
  const taken = new Set<string>();
  for (const id of new Set(threadIds)) {
    const { text, fileName } = await exportThread(services, id, viewer, format);
    zip.addBuffer(Buffer.from(text), freeName(fileName, taken));
  }
  zip.end();
}

/** The name itself, or the first free numbered variant; some file systems treat different names as the same. */
function freeName(fileName: string, taken: Set<string>): string {
  const dot = fileName.lastIndexOf(".");
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? fileName : `${fileName.slice(0, dot)} ${number}${fileName.slice(dot)}`;
    const key = name.normalize().toLowerCase();
    if (taken.has(key)) continue;
    taken.add(key);
    return name;
  }
}
