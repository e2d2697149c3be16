import { z } from "zod";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";
import type { ToolDisplay } from "@/lib/schema/tools/tool-display";
import { searchGist } from "./search-gist";
import type { WorkspaceFiles } from "./workspace-files";

const MAX_FILES = 100;

export function globTool(files: WorkspaceFiles): Tool {
  return defineTool({
    name: "glob",
    kind: "read",
    pathArgument: "path",
    gist: searchGist,
    description:
      "Find files of the workspace by a pattern such as *.py or src/**/*.ts. Dot folders, node_modules and the like are skipped.",
    input: z.object({
      pattern: z.string().min(1).describe("Glob pattern."),
      path: z.string().default(".").describe("Folder to search in."),
    }),
    annotations: { readOnly: true },
    aliases: ["Glob"],
    evictable: false,
    async execute({ pattern, path }) {
      const folder = files.resolve(path);
      const found = await files.workspace.glob(files.resolveGlob(pattern), folder, MAX_FILES);
      const display: ToolDisplay = { kind: "files", pattern, path: folder, ...found };
      return { output: JSON.stringify({ files: found.files, truncated: found.truncated }), display };
    },
  });
}
