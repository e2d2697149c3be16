import { formatSize } from "@/lib/schema/files/format-size";

/** The line of a message below which its attached files are listed as `- path (size)`. */
export const ATTACHED_LEAD = "Attached files, in the workspace:";

const BLOCK = new RegExp(`(?:^|\\n\\n)${ATTACHED_LEAD}\\n((?:- [^\\n]+ \\([^()\\n]+\\)(?:\\n|$))+)$`, "u");

/** A file attached to a message; `path` is its place in the workspace. */
export interface AttachedFile {
  readonly path: string;
  readonly sizeBytes: number;
}

/** The message as the model reads it, with its files listed below the text. */
export function nameAttached(text: string, files: readonly AttachedFile[]): string {
  if (files.length === 0) return text;
  const lines = files.map(({ path, sizeBytes }) => `- ${path} (${formatSize(sizeBytes)})`);
  return [text, `${ATTACHED_LEAD}\n${lines.join("\n")}`].filter(Boolean).join("\n\n");
}

/** The reverse: a person's text, and the files listed below it with their sizes as written. */
export function splitAttached(message: string): { text: string; files: readonly { path: string; size: string }[] } {
  const found = BLOCK.exec(message);
  if (found === null) return { text: message, files: [] };
  const files = (found[1] ?? "")
    .trim()
    .split("\n")
    .map((line) => {
      const end = line.lastIndexOf(" (");
      return { path: line.slice(2, end), size: line.slice(end + 2, -1) };
    });
  return { text: message.slice(0, found.index), files };
}

/** Two messages as one, with the files of both listed below their text. */
export function joinAttached(first: string, second: string): string {
  const parts = [first, second].map(splitAttached);
  const text = parts
    .map((part) => part.text)
    .filter(Boolean)
    .join("\n\n");
  const lines = parts.flatMap(({ files }) => files).map(({ path, size }) => `- ${path} (${size})`);
  return lines.length === 0 ? text : [text, `${ATTACHED_LEAD}\n${lines.join("\n")}`].filter(Boolean).join("\n\n");
}
