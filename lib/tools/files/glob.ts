import { z } from "zod";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";
import type { ToolDisplay } from "@/lib/schema/tools/tool-display";
import { GLOB } from "./file-tool-names";
import { searchGist } from "./search-gist";
import { hiddenNote, type WorkspaceFiles } from "./workspace-files";

const MAX_FILES = 100;

export function globTool(files: WorkspaceFiles): Tool {
  return defineTool({
    ...GLOB,
    kind: "read",
    pathArgument: "path",
    readsFiles: true,
    gist: searchGist,
    description:
      "Find files of the workspace by a pattern such as *.py or src/**/*.ts. Dot folders, node_modules and the like are skipped.",
    input: z.object({
      pattern: z.string().min(1).describe("Glob pattern."),
      path: z.string().default(".").describe("Folder to search in."),
    }),
    annotations: { readOnly: true },
    evictable: false,
    async execute({ pattern, path }) {
      const folder = files.resolve(path);
      const found = await files.workspace.glob(files.resolveGlob(pattern), folder, MAX_FILES);
      const display: ToolDisplay = { kind: "files", pattern, path: folder, ...found };
      const { files: paths, truncated } = found;
      return { output: JSON.stringify({ files: paths, truncated, ...hiddenNote(files) }), display };
    },
  });
}
