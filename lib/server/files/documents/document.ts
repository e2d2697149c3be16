import { z } from "zod";
import { SharedError } from "@/lib/schema/shared-error";

/** The kinds of document that are read in a separate process. */
export const DocumentKind = z.enum(["pdf", "docx", "xlsx", "html"]);
export type DocumentKind = z.infer<typeof DocumentKind>;

/** The text of a document. Pages of a PDF and a Word file, and sheets, begin with a separate line in brackets. */
export const DocumentText = z.object({ title: z.string().nullable(), text: z.string() });
export type DocumentText = z.infer<typeof DocumentText>;

/** What a document process writes instead of its answer, in words meant for the model or a person. */
export const Refusal = z.object({ refused: z.string() });
export type Refusal = z.infer<typeof Refusal>;

export const DOCUMENT_LIMITS = {
  /** The total of all compressed content in it. */
  unpackedBytes: 100_000_000,
  pages: 500,
  cells: 1_000_000,
  /** The limit of the resulting text. */
  characters: 10_000_000,
  memoryBytes: 512 * 2 ** 20,
  timeMs: 20_000,
} as const;

/** Why a document is not read, in words meant for the model or a person. */
export class DocumentRefused extends SharedError {
  static override readonly kind = "DocumentRefused";
}

export function tooMuchUnpacked(): DocumentRefused {
  const megabytes = DOCUMENT_LIMITS.unpackedBytes / 1e6;
  return new DocumentRefused(`It unpacks to more than ${megabytes} MB. Take out what is not needed, or split it.`);
}

export function tooLong(): DocumentRefused {
  const most = DOCUMENT_LIMITS.characters.toLocaleString("en-US");
  return new DocumentRefused(`It has more than ${most} characters of text. Split it.`);
}
