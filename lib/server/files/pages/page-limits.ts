import { DocumentRefused } from "@/lib/server/files/documents/document";

const MAX_PAGE_BYTES = 20_000_000;

/** Throws DocumentRefused for more than a page may be with its files in it. */
export function checkPageSize(bytes: number): void {
  if (bytes <= MAX_PAGE_BYTES) return;
  throw new DocumentRefused(`With the files it uses, it is larger than ${MAX_PAGE_BYTES / 1e6} MB.`);
}
