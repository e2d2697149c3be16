import { z } from "zod";
import { LONG_TERM_PATH } from "@/lib/agent/memory-kind";
import { defineTool, type Tool } from "@/lib/agent/tool";
import { fileChangeDisplay } from "./file-change-display";
import { decodeOrNull, encodeText } from "./file-text";
import type { MemoryFiles } from "./memory-documents";

/** Below this many characters a document is rewritten without ado. */
const MIN_DOCUMENT_CHARS = 200;
/** "Most of it": more than this share of its characters. */
const MAX_LOST_SHARE = 0.5;
const MAX_SHOWN_CHARS = 4_000;

export function memoryWriteTool({ files }: MemoryFiles): Tool {
  return defineTool({
    name: "memory_write",
    description:
      "Replace your long-term memory (MEMORY.md) with this text. Read it first and carry over what still holds.",
    input: z.object({ text: z.string().describe("The whole new long-term memory, as Markdown.") }),
    annotations: { idempotent: true },
    evictable: false,
    async execute({ text }, execution) {
      const path = LONG_TERM_PATH;
      const after = encodeText(text.endsWith("\n") || text === "" ? text : `${text}\n`);
      return files.exclusive(path, async () => {
        const before = await files.current(path);
        await files.workspace.write(path, after);
        const written = { path, before, after };
        await files.written(written, execution);
        const warning = lossWarning((before && decodeOrNull(before)) ?? "", text);
        const message = [`Long-term memory written: ${path} (${after.length} bytes)`, warning]
          .filter(Boolean)
          .join(". ");
        return { output: JSON.stringify({ path, message }), display: fileChangeDisplay(written) };
      });
    },
  });
}

/** What the model reads when most of the document is gone: enough to put back what it lost by mistake. */
export function lossWarning(before: string, after: string): string {
  if (before.length < MIN_DOCUMENT_CHARS) return "";
  const kept = new Set(after.split("\n").map((line) => line.trim()));
  const lost = before.split("\n").filter((line) => line.trim() !== "" && !kept.has(line.trim()));
  const lostChars = lost.reduce((sum, line) => sum + line.length, 0);
  if (lostChars <= before.length * MAX_LOST_SHARE) return "";
  const share = Math.min(100, Math.round((lostChars / before.length) * 100));
  const shown = lost.join("\n");
  const cut = shown.length > MAX_SHOWN_CHARS ? `${shown.slice(0, MAX_SHOWN_CHARS).toWellFormed()}\n…` : shown;
  return `Warning: ${share}% of the former document is gone. If that was not meant, write it again with these lines:\n${cut}`;
}
