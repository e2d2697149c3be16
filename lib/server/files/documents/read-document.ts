import "server-only";
import { createHash } from "node:crypto";
import { processState } from "@/lib/server/platform/process-state";
import { type DocumentKind, DocumentRefused, DocumentText } from "./document";
import { askDocumentProcess, type ProcessLimits } from "./document-process";

interface DocumentSource {
  readonly kind: DocumentKind;
  readonly bytes: Uint8Array;
  /** The page's address, used to make its links absolute. */
  readonly address?: string;
  readonly signal?: AbortSignal;
  readonly limits?: ProcessLimits;
}

/**
 * The text of a document, or of a web page as markdown, read in a document process. Results are cached by content.
 * Throws DocumentRefused.
 */
export async function readDocument(source: DocumentSource): Promise<DocumentText> {
  const { kind, address = "", ...question } = source;
  const key = [kind, address, createHash("sha256").update(question.bytes).digest("hex")].join(" ");
  const cache = knownTexts();
  const known = cache.get(key);
  if (known) return known;
  const reply = await askDocumentProcess({ worker: WORKER, words: [kind, address], ...question });
  const text = DocumentText.parse(reply);
  cache.keep(key, text);
  return text;
}

const WORKER = "lib/server/files/documents/document-worker";

const KINDS = new Map<string, DocumentKind>([
  ["pdf", "pdf"],
  ["docx", "docx"],
  ["xlsx", "xlsx"],
]);
const BEGINNINGS: Readonly<Record<DocumentKind, string>> = { pdf: "%PDF-", docx: "PK", xlsx: "PK", html: "" };

/** The text of a file whose content matches its name; null if it is no document. Throws DocumentRefused. */
export async function readFileDocument(
  { path: name, bytes }: { readonly path: string; readonly bytes: Uint8Array },
  signal: AbortSignal,
): Promise<string | null> {
  const kind = KINDS.get(name.slice(name.lastIndexOf(".") + 1).toLowerCase());
  const start = Buffer.from(bytes.subarray(0, 1_024)).toString("latin1");
  if (kind === undefined || !start.includes(BEGINNINGS[kind])) return null;
  try {
    const { title, text } = await readDocument({ kind, bytes, signal });
    return title === null ? text : `[Title] ${title}\n\n${text}`;
  } catch (error) {
    if (error instanceof DocumentRefused) throw new DocumentRefused(`${name} can't be read. ${error.message}`);
    throw error;
  }
}

/** The limit of characters over all cached texts. */
const KEPT_CHARACTERS = 20_000_000;

function knownTexts() {
  return processState("document-texts", () => {
    const texts = new Map<string, DocumentText>();
    let characters = 0;
    return {
      get: (key: string) => texts.get(key),
      keep(key: string, text: DocumentText) {
        if (texts.has(key)) return;
        texts.set(key, text);
        characters += text.text.length;
        for (const [oldest, { text: old }] of texts) {
          if (characters <= KEPT_CHARACTERS) return;
          texts.delete(oldest);
          characters -= old.length;
        }
      },
    };
  });
}
