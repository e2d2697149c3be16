import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { Reader } from "@/lib/schema/users/user";
import { versionBytes } from "@/lib/server/file-access/file-versions";
import { openThreadFiles, readBytes, type UserFiles } from "@/lib/server/file-access/user-files";
import { readBlob } from "@/lib/server/files/blobs";
import { DocumentRefused } from "@/lib/server/files/documents/document";
import type { InlinedLines, InlinedPage, ReadFile } from "@/lib/server/files/pages/inline-files";
import { inlinePage } from "@/lib/server/files/pages/inline-page";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { guardPage } from "./guard-page";

/** Larger pages are downloaded instead of shown. */
const MAX_PAGE_BYTES = 5_000_000;
const MAX_FILE_BYTES = 10_000_000;

/**
 * A page of the viewer's own thread as one HTML text with its files inlined, for a frame with its own origin. An older
 * version gets the files as they were while it was the newest. Throws `not_found`, `payload_too_large`.
 */
export async function framePage(
  services: Services,
  viewer: Reader,
  {
    thread,
    path: given,
    version,
  }: { readonly thread: string; readonly path: string; readonly version?: number | undefined },
  signal: AbortSignal,
): Promise<string> {
  const files = await openThreadFiles(services, thread, viewer);
  const path = files.normalize(given);
  const bytes =
    version === undefined
      ? await readBytes(files, path)
      : await versionBytes(services.database, { ...files, path }, version);
  if (bytes === null) throw new AppError("not_found", `Version ${version} of ${path} is its deletion.`);
  if (bytes.byteLength > MAX_PAGE_BYTES) {
    throw new AppError("payload_too_large", "The page is too large to be shown. Download it.");
  }
  const until = version === undefined ? null : await replacedAt(services.database, files, path, version);
  const { html, inlined } = await orTooLarge(
    inlinePage({ path, bytes }, filesAt(services.database, files, until), signal),
  );
  const doctype = /^\s*<!doctype[^>]*>/iu.exec(html)?.[0] ?? "";
  return doctype + guardScript(inlined) + html.slice(doctype.length);
}

async function orTooLarge(page: Promise<InlinedPage>): Promise<InlinedPage> {
  try {
    return await page;
  } catch (error) {
    if (!(error instanceof DocumentRefused)) throw error;
    throw new AppError("payload_too_large", `The page can't be shown. ${error.message} Download it.`);
  }
}

/** The guard as the page's first script. */
function guardScript(inlined: readonly InlinedLines[]): string {
  const text = guardPage.toString();
  const given = [JSON.stringify(inlined).replaceAll("<", "\\u003c"), text.split("\n").length - 1].join(", ");
  return `<script>(${text})(${given})</script>`;
}

/** When the next version was written; null for the newest. */
async function replacedAt(
  database: Database,
  { workspaceId }: UserFiles,
  path: string,
  version: number,
): Promise<Date | null> {
  const next = await database.fileVersion.findFirst({
    where: { workspaceId, path, version: { gt: version } },
    orderBy: { version: "asc" },
    select: { createdAt: true },
  });
  return next?.createdAt ?? null;
}

/** The files as they were right before a point in time; the current ones for null. */
function filesAt(database: Database, { workspaceId, workspace }: UserFiles, until: Date | null): ReadFile {
  return async (path) => {
    const then =
      until === null
        ? null
        : await database.fileVersion.findFirst({
            where: { workspaceId, path, createdAt: { lt: until } },
            orderBy: { version: "desc" },
            select: { blobHash: true },
          });
    if (then) return then.blobHash === null ? null : readBlob(database, then.blobHash);
    const found = await workspace.stat(path).catch(() => null);
    if (found?.type !== "file") return null;
    const { bytes, sizeBytes } = await workspace.read(path, MAX_FILE_BYTES);
    return sizeBytes > bytes.byteLength ? null : bytes;
  };
}
