import { WorkspaceError } from "./workspace";

const encoder = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** A file's text for reading; bytes that are not UTF-8 become U+FFFD. Throws for a binary file. */
export function decodeForReading(path: string, bytes: Uint8Array): string {
  refuseBinary(path, bytes);
  return lenient.decode(bytes);
}

/** A file's text for editing. Throws for anything that would not survive the round trip. */
export function decodeForEditing(path: string, bytes: Uint8Array): string {
  refuseBinary(path, bytes);
  const text = decodeOrNull(bytes);
  if (text !== null) return text;
  throw new WorkspaceError(
    "not_a_file",
    `${path} is not UTF-8 text, so it can't be edited here. Rewrite it as a whole with write_file.`,
  );
}

/** The text, or null if the bytes are not text. */
export function decodeOrNull(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

function refuseBinary(path: string, bytes: Uint8Array): void {
  if (!bytes.includes(0)) return;
  throw new WorkspaceError(
    "not_a_file",
    `${path} is a binary file (${bytes.length} bytes); only text can be read or edited.`,
  );
}
