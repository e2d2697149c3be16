import { inflateSync } from "node:zlib";
import { getDocumentProxy } from "unpdf";
import { DOCUMENT_LIMITS, DocumentRefused, type DocumentText, tooLong, tooMuchUnpacked } from "./document";

/** The text of a PDF, page by page. Throws DocumentRefused. */
export async function readPdf(bytes: Uint8Array): Promise<DocumentText> {
  checkUnpackedSize(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const pdf = await open(bytes);
  const { numPages: pages } = pdf;
  if (pages > DOCUMENT_LIMITS.pages) {
    const count = pages.toLocaleString("en-US");
    throw new DocumentRefused(`It has ${count} pages; at most ${DOCUMENT_LIMITS.pages} are read. Split it.`);
  }
  const texts: string[] = [];
  let left: number = DOCUMENT_LIMITS.characters;
  for (let number = 1; number <= pages; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const lines = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
    page.cleanup();
    left -= lines.length;
    if (left < 0) throw tooLong();
    texts.push(`[Page ${number}]\n${lines.trim() || "(no text on this page)"}`);
  }
  return { title: await titleOf(pdf), text: texts.join("\n\n") };
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(bytes, { verbosity: 0 });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw new DocumentRefused(
      isLocked ? "It is protected by a password. Save it without one." : "It is no PDF, or it is damaged.",
    );
  }
}

async function titleOf(pdf: Pdf): Promise<string | null> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  const title = "Title" in info ? info.Title : null;
  return typeof title === "string" && title.trim() !== "" ? title.trim() : null;
}

const STREAM = Buffer.from("stream");
const END = Buffer.from("endstream");
const DICTIONARY_BYTES = 1_000;

/**
 * A page of a few kilobytes can unpack to gigabytes. Pictures are not counted: they may be large, and are not needed
 * for the text.
 */
function checkUnpackedSize(file: Buffer): void {
  let left: number = DOCUMENT_LIMITS.unpackedBytes;
  for (let at = file.indexOf(STREAM); at !== -1; at = file.indexOf(STREAM, at)) {
    const dictionary = file.toString("latin1", Math.max(0, at - DICTIONARY_BYTES), at);
    const own = dictionary.slice(dictionary.lastIndexOf(" obj"));
    at += STREAM.length;
    const end = file.indexOf(END, at);
    if (end === -1) return;
    if (own.includes("FlateDecode") && !/\/Subtype\s*\/Image/.test(own)) {
      left -= unpackedSize(file.subarray(skipLineEnd(file, at), end), left);
      if (left < 0) throw tooMuchUnpacked();
    }
    at = end + END.length;
  }
}

function skipLineEnd(file: Buffer, at: number): number {
  const start = file[at] === 13 ? at + 1 : at;
  return file[start] === 10 ? start + 1 : start;
}

/** Returns more than `most` if the unpacked size exceeds it; 0 if unpacking fails, which the reader detects itself. */
function unpackedSize(packed: Buffer, most: number): number {
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(1, most) }).byteLength;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE" ? most + 1 : 0;
  }
}
