import { z } from "zod";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";
import { encodeText } from "@/lib/agent/workspace/file-text";
import { fileChangeDisplay } from "./file-change-display";
import type { WorkspaceFiles } from "./workspace-files";

export function writeFileTool(files: WorkspaceFiles): Tool {
  return defineTool({
    name: "write_file",
    kind: "edit",
    pathArgument: "path",
    approval: "edit",
    question: "Write this file?",
    description: "Write a text file of the workspace: makes it and its folders, or replaces what it held.",
    input: z.object({
      path: z.string().describe("File to write."),
      content: z.string().describe("The whole new content of the file."),
    }),
    annotations: { idempotent: true },
    aliases: ["Write"],
    argumentAliases: { file_path: "path" },
    evictable: false,
    async execute({ path, content }, execution) {
      const file = files.resolveFile(path);
      const after = encodeText(content);
      return files.exclusive(file, async () => {
        const before = await files.current(file);
        await files.workspace.write(file, after);
        const written = { path: file, before, after };
        await files.written(written, execution);
        const notice = files.noticeOf?.(written) ?? "";
        const message = [`File written: ${path} (${after.length} bytes)`, notice].filter(Boolean).join(". ");
        return {
          output: JSON.stringify({ path, bytes_written: after.length, message }),
          display: fileChangeDisplay(written),
        };
      });
    },
  });
}
