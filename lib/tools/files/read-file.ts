import { z } from "zod";
import { defineTool, type Tool, type ToolOutput } from "@/lib/agent/tools/tool";
import { decodeForReading } from "@/lib/agent/workspace/file-text";
import { WorkspaceError } from "@/lib/agent/workspace/workspace";
import type { ToolDisplay } from "@/lib/schema/tools/tool-display";
import { READ_FILE } from "./file-tool-names";
import type { WorkspaceFiles } from "./workspace-files";

/** The most that is returned at once. */
const MAX_READ_BYTES = 1_000_000;
/** How much is read to find a page; a workspace may return less of a large file. */
const MAX_PAGED_BYTES = 10_000_000;

const MAX_DOCUMENT_BYTES = 32 * 2 ** 20;

interface Page {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export function readFileTool(files: WorkspaceFiles): Tool {
  return defineTool({
    ...READ_FILE,
    kind: "read",
    pathArgument: "path",
    description:
      "Read a file of the workspace: text, or the text of a PDF, Word or Excel file. Large files are read in parts with offset and limit.",
    input: z.object({
      path: z.string().describe("File to read."),
      offset: z.number().int().min(0).optional().describe("First line to read, counted from 1."),
      limit: z.number().int().min(1).optional().describe("How many lines to read."),
    }),
    annotations: { readOnly: true },
    evictable: false,
    async execute({ path, ...page }, { signal }) {
      const file = files.resolveFile(path);
      const document = await documentAt(files, file, signal);
      if (document) return readPage(document.text, page, { path: file, sizeBytes: document.sizeBytes });
      const isPaged = page.offset !== undefined || page.limit !== undefined;
      const { bytes, sizeBytes } = await files.workspace.read(file, isPaged ? MAX_PAGED_BYTES : MAX_READ_BYTES);
      if (sizeBytes > MAX_PAGED_BYTES) throw new WorkspaceError("too_large", howToSearch(path, sizeBytes));
      if (bytes.length < sizeBytes) throw new WorkspaceError("too_large", howToPage(path, sizeBytes));
      return readPage(decodeForReading(path, bytes), page, { path: file, sizeBytes });
    },
  });
}

const DOCUMENT_NAME = /\.(?:pdf|docx|xlsx)$/iu;

/** The text of a document; null for any other file. */
async function documentAt({ workspace, readDocument }: WorkspaceFiles, path: string, signal: AbortSignal) {
  if (!readDocument || !DOCUMENT_NAME.test(path)) return null;
  const { bytes, sizeBytes } = await workspace.read(path, MAX_DOCUMENT_BYTES);
  if (bytes.length < sizeBytes) throw new WorkspaceError("too_large", `${path} has ${sizeBytes} bytes. ${SPLIT_IT}`);
  const text = await readDocument({ path, bytes }, signal);
  if (text === null) return null;
  return { text, sizeBytes };
}

const SPLIT_IT = "Of a document at most 32 MB are read. Split it.";

function readPage(text: string, page: Page, file: { path: string; sizeBytes: number }): ToolOutput {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const totalLines = lines.length;
  const startLine = Math.max(1, page.offset ?? 1);
  const endLine = Math.min(totalLines, page.limit === undefined ? totalLines : startLine + page.limit - 1);
  if (startLine > Math.max(1, totalLines)) {
    throw new WorkspaceError("failed", `${file.path} has ${totalLines} lines; offset ${startLine} is beyond its end.`);
  }
  const isWhole = startLine === 1 && endLine === totalLines;
  const output = isWhole ? text : lines.slice(startLine - 1, endLine).join("\n");
  if (output.length > MAX_READ_BYTES) {
    if (isWhole && totalLines > 1) throw new WorkspaceError("too_large", howToPage(file.path, file.sizeBytes));
    throw new WorkspaceError("too_large", tooLongPage(output.length, { startLine, endLine }));
  }
  const display: ToolDisplay = { kind: "file-text", ...file, startLine, endLine, totalLines };
  const more = `\n\n[Lines ${startLine} to ${endLine} of ${totalLines}. Go on with offset ${endLine + 1}.]`;
  return { output: endLine < totalLines ? output + more : output, display };
}

function howToPage(path: string, sizeBytes: number): string {
  return `${path} has ${sizeBytes} bytes, too much to read at once. Read it in parts with offset (first line, from 1) and limit (number of lines), for example offset 1 and limit 500, or search it with grep.`;
}

function tooLongPage(chars: number, { startLine, endLine }: { startLine: number; endLine: number }): string {
  if (startLine < endLine) return `These lines have ${chars} characters. Ask for fewer with limit.`;
  return `Line ${startLine} alone has ${chars} characters, too many for read_file. ${ANOTHER_WAY}`;
}

const ANOTHER_WAY = "Search it with grep, or take parts of it with a command.";

function howToSearch(path: string, sizeBytes: number): string {
  return `${path} has ${sizeBytes} bytes, too much for read_file. ${ANOTHER_WAY}`;
}
