import { formatSize } from "@/lib/schema/files/format-size";

/** The line of a message under which its attached files are listed as `- path (size)`. */
export const ATTACHED_LEAD = "Attached files, in the workspace:";

const BLOCK = new RegExp(`(?:^|\\n\\n)${ATTACHED_LEAD}\\n((?:- [^\\n]+ \\([^()\\n]+\\)(?:\\n|$))+)$`, "u");

/** A file that a message brought along; `path` is where it is in the workspace. */
export interface AttachedFile {
  readonly path: string;
  readonly sizeBytes: number;
}

/** The message as the model reads it: the files are named below the words. */
export function nameAttached(text: string, files: readonly AttachedFile[]): string {
  if (files.length === 0) return text;
  const lines = files.map(({ path, sizeBytes }) => `- ${path} (${formatSize(sizeBytes)})`);
  return [text, `${ATTACHED_LEAD}\n${lines.join("\n")}`].filter(Boolean).join("\n\n");
}

/** The other way: a person's words, and the files named below them with their sizes as written. */
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
