import { z } from "zod";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";
import type { ToolDisplay } from "@/lib/schema/tools/tool-display";
import { GREP } from "./file-tool-names";
import { searchGist } from "./search-gist";
import { hiddenNote, type WorkspaceFiles } from "./workspace-files";

const MAX_MATCHES = 200;

export function grepTool(files: WorkspaceFiles): Tool {
  return defineTool({
    ...GREP,
    kind: "read",
    pathArgument: "path",
    readsFiles: true,
    gist: searchGist,
    description: "Search the text of the workspace's files with a regular expression.",
    input: z.object({
      pattern: z.string().min(1).describe("Regular expression."),
      path: z.string().default(".").describe("File or folder to search in."),
      glob: z.string().min(1).optional().describe("Only files that match this glob, such as *.py."),
      case_sensitive: z.boolean().default(true).describe("False to ignore upper and lower case."),
    }),
    annotations: { readOnly: true },
    evictable: false,
    async execute({ pattern, path, glob, case_sensitive: caseSensitive }) {
      const folder = files.resolve(path);
      const only = glob === undefined ? {} : { glob: files.resolveGlob(glob) };
      const query = { pattern, path: folder, caseSensitive, limit: MAX_MATCHES, ...only };
      const { matches, truncated } = await files.workspace.grep(query);
      const display: ToolDisplay = { kind: "matches", pattern, path: folder, matches, truncated };
      return { output: JSON.stringify({ matches, truncated, ...hiddenNote(files) }), display };
    },
  });
}
