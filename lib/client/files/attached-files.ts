import { formatBytes } from "@/lib/client/ui/text/format";
import { ATTACHED_LEAD } from "@/lib/schema/messages/attached-files";

/** A file that a message brought along; `path` is where it is in the workspace. */
export interface AttachedFile {
  readonly path: string;
  readonly sizeBytes: number;
}

/** Where files that come with a message are put, apart from what the agent makes. */
export const ATTACHED_FOLDER = "uploads";

const BLOCK = new RegExp(`(?:^|\\n\\n)${ATTACHED_LEAD}\\n((?:- [^\\n]+ \\([^()\\n]+\\)(?:\\n|$))+)$`, "u");

/** The message as the model reads it: the files are named below the words. */
export function nameAttached(text: string, files: readonly AttachedFile[]): string {
  if (files.length === 0) return text;
  const lines = files.map(({ path, sizeBytes }) => `- ${path} (${formatBytes(sizeBytes)})`);
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

/** `name` without what a path can't hold, and with a number when it is `taken`: nothing is overwritten. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  const clean =
    name
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
      .replace(/[/\\\u0000-\u001f\u007f\u2028\u2029]+/gu, "-")
      .replace(/^\.+/u, "")
      .trim() || "file";
  if (!taken.has(clean)) return clean;
  const dot = clean.lastIndexOf(".");
  const [stem, extension] = dot > 0 ? [clean.slice(0, dot), clean.slice(dot)] : [clean, ""];
  for (let number = 2; ; number++) {
    const numbered = `${stem}-${number}${extension}`;
    if (!taken.has(numbered)) return numbered;
  }
}
