import { z } from "zod";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";
import type { ToolDisplay } from "@/lib/schema/tools/tool-display";
import { LS } from "./file-tool-names";
import type { WorkspaceFiles } from "./workspace-files";

export function lsTool(files: WorkspaceFiles): Tool {
  return defineTool({
    ...LS,
    kind: "read",
    pathArgument: "path",
    readsFiles: true,
    description: "List the files and folders in a folder of the workspace.",
    input: z.object({ path: z.string().default(".").describe('Folder to list; "." is the workspace root.') }),
    annotations: { readOnly: true },
    evictable: false,
    async execute({ path }) {
      const folder = files.resolve(path);
      const listing = await files.workspace.list(folder);
      const omitted = listing.omitted ?? 0;
      const entries = listing.map(({ name, type, size }) => ({ name, type, size }));
      const display: ToolDisplay = { kind: "entries", path: folder, entries, omitted };
      const note = omitted > 0 ? `\n(${omitted} more entries are not shown; use glob to find files.)` : "";
      return { output: JSON.stringify(entries) + note, display };
    },
  });
}
