import { promisify } from "node:util";
import { unzip } from "node:zlib";
import { AppError } from "@/lib/schema/app-error";

/** The limit of an ordinary body, in bytes. */
export const MAX_BODY_BYTES = 1_048_576;
/** The limit before sign-in, in bytes. */
export const MAX_ANONYMOUS_BODY_BYTES = 16_384;
/** The limit of a file upload, in bytes. */
export const MAX_UPLOAD_BYTES = 32 * 1_048_576;

const MAX_DEPTH = 200;
/**
 * For bodies above the ordinary limit: the extra size is meant for a few long texts, and 31 MB of numbers become a
 * gigabyte.
 */
const MAX_UPLOADED_VALUES = 20_000;

/**
 * Reads a body while counting: throws `payload_too_large` as soon as it exceeds `maxBytes`, whatever its header said.
 */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  const reader = request.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    sizeBytes += part.value.byteLength;
    if (sizeBytes > maxBytes) {
      void skipRest(reader);
      throw tooLarge(maxBytes);
    }
    chunks.push(part.value);
  }
  const bytes = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** An unread remainder would precede the connection's next request, which would then never be answered. */
async function skipRest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The client has disconnected.
  }
}

/** The JSON of a body; undefined if it is empty. Throws `invalid_input` for input that no schema should have to see. */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const bytes = await unpacked(await readBody(request, maxBytes), request.headers.get("content-encoding"), maxBytes);
  if (bytes.byteLength === 0) return undefined;
  if (bytes.byteLength > MAX_BODY_BYTES) refuseManyValues(bytes);
  const value = parseJson(bytes);
  refuseHostileJson(value);
  return value;
}

const PACKED: ReadonlySet<string> = new Set(["gzip", "x-gzip", "deflate"]);
const unpack = promisify<Uint8Array, { maxOutputLength: number }, Uint8Array>(unzip);

/** The bytes that were packed; never more than `maxBytes` are unpacked. */
async function unpacked(bytes: Uint8Array, encoding: string | null, maxBytes: number): Promise<Uint8Array> {
  const name = (encoding ?? "identity").trim().toLowerCase();
  if (name === "identity" || name === "") return bytes;
  if (!PACKED.has(name)) {
    throw new AppError(
      "invalid_input",
      "The body is packed in a way that is not read here. Send it as it is or as gzip.",
    );
  }
  try {
    return await unpack(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    if (cause instanceof RangeError) throw tooLarge(maxBytes);
    throw new AppError("invalid_input", `The body is not valid ${name}.`, { cause });
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError("invalid_input", "The body is not valid UTF-8 JSON.", { cause });
  }
}

/**
 * A form with files; `maxFields` are counted before anything is parsed. Throws `invalid_input` for one that can't be
 * read.
 */
export async function readForm(request: Request, maxBytes: number, maxFields: number): Promise<FormData> {
  const contentType = request.headers.get("content-type") ?? "";
  const body = await readBody(request, maxBytes);
  const boundary = /\bboundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType);
  const separator = Buffer.from(`--${boundary?.[1] ?? boundary?.[2] ?? ""}`);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let parts = 0;
  for (let at = bytes.indexOf(separator); at >= 0; at = bytes.indexOf(separator, at + separator.length)) {
    parts += 1;
    // One more separator ends the form.
    if (parts > maxFields + 1) throw new AppError("invalid_input", `The form has more than ${maxFields} fields.`);
  }
  try {
    return await new Response(body, { headers: { "content-type": contentType } }).formData();
  } catch (cause) {
    throw new AppError("invalid_input", "The body is not valid multipart/form-data.", { cause });
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Comma, opening bracket, opening brace: each begins a value. */
const BEGINNINGS: ReadonlySet<number> = new Set([0x2c, 0x5b, 0x7b]);

/** Counts on the bytes, skipping texts, so that nothing is allocated for a refused body. */
function refuseManyValues(bytes: Uint8Array): void {
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === QUOTE) at = endOfText(bytes, at);
    else if (BEGINNINGS.has(bytes[at] ?? 0)) values += 1;
    if (values > MAX_UPLOADED_VALUES) {
      const most = MAX_UPLOADED_VALUES.toLocaleString("en-US");
      throw new AppError(
        "invalid_input",
        `A JSON body of more than 1 MB may have ${most} values. Send files as multipart/form-data.`,
      );
    }
  }
}

/** The position of the closing quote of the text that begins at `start`. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    at = bytes.indexOf(QUOTE, at + 1);
    if (at < 0) return bytes.length;
    let escapes = 0;
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}

/** Walks with an explicit stack, so that no depth can overflow the call stack. */
function refuseHostileJson(root: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const { value, depth } = entry;
    if (typeof value !== "object" || value === null) continue;
    if (depth > MAX_DEPTH) throw new AppError("invalid_input", `The body is nested deeper than ${MAX_DEPTH} levels.`);
    if (Object.hasOwn(value, "__proto__"))
      throw new AppError("invalid_input", 'The body must not contain a field "__proto__".');
    for (const child of Object.values(value)) open.push({ value: child, depth: depth + 1 });
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("payload_too_large", `The body is larger than ${maxBytes.toLocaleString("en-US")} bytes.`);
}
