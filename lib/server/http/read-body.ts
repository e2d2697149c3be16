import { AppError } from "@/lib/schema/app-error";

/** The limit of an ordinary body, in bytes. */
export const MAX_BODY_BYTES = 1_048_576;
/** The limit where nobody has signed in yet, in bytes. */
export const MAX_ANONYMOUS_BODY_BYTES = 16_384;
/** The limit of a file upload, in bytes. */
export const MAX_UPLOAD_BYTES = 32 * 1_048_576;

const MAX_DEPTH = 200;

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

/**
 * The JSON of a body; undefined when it is empty. Throws `invalid_input` for input that no schema should have to see.
 */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const bytes = await readBody(request, maxBytes);
  if (bytes.byteLength === 0) return undefined;
  const value = parseJson(bytes);
  refuseHostileJson(value);
  return value;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError("invalid_input", "The body is not valid JSON in UTF-8.", { cause });
  }
}

/** Walks with a stack of its own, so that no depth can overflow ours. */
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
