import { z } from "zod";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";
import { encodeText } from "@/lib/agent/workspace/file-text";
import { LONG_TERM_PATH } from "@/lib/agent/workspace/memory-kind";
import { fileChangeDisplay } from "@/lib/tools/files/file-change-display";
import { lossWarning } from "@/lib/tools/files/loss-warning";
import type { MemoryFiles } from "./memory-documents";

export function memoryWriteTool({ files }: MemoryFiles): Tool {
  return defineTool({
    name: "memory_write",
    kind: "memory",
    description:
      "Replace your long-term memory (MEMORY.md) with this text. Read it first and carry over what still holds.",
    input: z.object({ text: z.string().describe("The whole new long-term memory, as Markdown.") }),
    evictable: false,
    async execute({ text }, execution) {
      const path = LONG_TERM_PATH;
      const after = encodeText(text.endsWith("\n") || text === "" ? text : `${text}\n`);
      return files.exclusive(path, async () => {
        const before = await files.current(path);
        await files.workspace.write(path, after);
        const written = { path, before, after };
        await files.written(written, execution);
        const warning = lossWarning(written);
        const message = [`Long-term memory written: ${path} (${after.length} bytes)`, warning]
          .filter(Boolean)
          .join(". ");
        return { output: JSON.stringify({ path, message }), display: fileChangeDisplay(written) };
      });
    },
  });
}
