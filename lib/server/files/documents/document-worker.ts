// Runs in its own process, started by read-document.ts: the bytes come in on stdin, the text goes out on stdout.
import { buffer } from "node:stream/consumers";
import { DocumentKind, DocumentRefused, type DocumentText, type Refusal } from "./document";

type Read = (bytes: Uint8Array, address: string) => Promise<DocumentText> | DocumentText;

/** Each reader is loaded only when needed. */
const READERS: Readonly<Record<DocumentKind, () => Promise<Read>>> = {
  pdf: async () => (await import("./read-pdf")).readPdf,
  docx: async () => (await import("./read-docx")).readDocx,
  xlsx: async () => (await import("./read-xlsx")).readXlsx,
  html: async () => (await import("./read-html")).readHtml,
};

const [kind, address = ""] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await read(DocumentKind.parse(kind))));

async function read(wanted: DocumentKind): Promise<DocumentText | Refusal> {
  const reader = await READERS[wanted]();
  const bytes = new Uint8Array(await buffer(process.stdin));
  try {
    return await reader(bytes, address);
  } catch (error) {
    return { refused: error instanceof DocumentRefused ? error.message : "It is damaged, so it can't be read." };
  }
}
