import { z } from "zod";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";
import { decodeForEditing, encodeText } from "@/lib/agent/workspace/file-text";
import { WorkspaceError } from "@/lib/agent/workspace/workspace";
import { fileChangeDisplay } from "./file-change-display";
import type { WorkspaceFiles } from "./workspace-files";

export function editFileTool(files: WorkspaceFiles): Tool {
  return defineTool({
    name: "edit_file",
    kind: "edit",
    pathArgument: "path",
    approval: "edit",
    question: "Make this edit?",
    description:
      "Replace text in a file of the workspace. old_text must match exactly, white space included; the first occurrence is replaced.",
    input: z.object({
      path: z.string().describe("File to change."),
      old_text: z.string().min(1).describe("The text to replace, exactly as it is in the file."),
      new_text: z.string().describe("The text to put in its place."),
      replace_all: z.boolean().default(false).describe("Replace every occurrence instead of the first."),
    }),
    aliases: ["Edit"],
    argumentAliases: { file_path: "path", old_string: "old_text", new_string: "new_text" },
    evictable: false,
    async execute({ path, old_text: oldText, new_text: newText, replace_all: replaceAll }, execution) {
      const file = files.resolveFile(path);
      return files.exclusive(file, async () => {
        const before = await files.current(file);
        if (before === null)
          throw new WorkspaceError("not_found", `There is no file ${path}. Create it with write_file.`);
        const parts = decodeForEditing(path, before).split(oldText.toWellFormed());
        const occurrences = parts.length - 1;
        if (occurrences === 0) throw new WorkspaceError("failed", "old_text not found in file");
        const after = encodeText(replaceAll ? parts.join(newText) : replaceFirst(parts, oldText, newText));
        await files.workspace.write(file, after);
        const written = { path: file, before, after };
        await files.written(written, execution);
        const replacements = replaceAll ? occurrences : 1;
        const message = describeEdit(path, replacements, occurrences - replacements);
        return { output: JSON.stringify({ path, replacements, message }), display: fileChangeDisplay(written) };
      });
    },
  });
}

function replaceFirst(parts: readonly string[], oldText: string, newText: string): string {
  return `${parts[0]}${newText}${parts.slice(1).join(oldText)}`;
}

function describeEdit(path: string, replacements: number, left: number): string {
  const done = `File edited: ${path} (${replacements} ${replacements === 1 ? "replacement" : "replacements"})`;
  return left > 0 ? `${done}; ${left} more ${left === 1 ? "occurrence" : "occurrences"} unchanged` : done;
}
