import { z } from "zod";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";
import { decodeForEditing, encodeText } from "@/lib/agent/workspace/file-text";
import { dailyNotePath } from "@/lib/agent/workspace/memory-kind";
import { fileChangeDisplay } from "@/lib/tools/files/file-change-display";
import type { MemoryFiles } from "./memory-documents";

export function memoryAppendTool({ files }: MemoryFiles): Tool {
  return defineTool({
    name: "memory_append",
    kind: "memory",
    approval: "edit",
    description: "Add a note to today's page of your memory. What stands there stays.",
    input: z.object({ text: z.string().trim().min(1).describe("The note, as Markdown.") }),
    evictable: false,
    async execute({ text }, execution) {
      const path = dailyNotePath(execution.context.now());
      return files.exclusive(path, async () => {
        const before = await files.current(path);
        const after = encodeText(`${startOf(path, before)}${text}\n`);
        await files.workspace.write(path, after);
        const written = { path, before, after };
        await files.written(written, execution);
        return {
          output: JSON.stringify({ path, message: `Note added to ${path}` }),
          display: fileChangeDisplay(written),
        };
      });
    },
  });
}

/** The text before the new note: the existing page and a blank line, or the heading of a new page. */
function startOf(path: string, before: Uint8Array | null): string {
  if (before === null || before.length === 0) {
    const day = path.slice(-"20261122.md".length, -".md".length);
    return `# ${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}\n\n`;
  }
  const text = decodeForEditing(path, before);
  return text.endsWith("\n") ? `${text}\n` : `${text}\n\n`;
}
