import { z } from "zod";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";
import { type MemoryFiles, readAllMemory } from "./memory-documents";

export function memorySearchTool({ files, paths, index }: MemoryFiles, top: number): Tool {
  return defineTool({
    name: "memory_search",
    kind: "memory",
    description: "Search all documents of your memory, old notes included, for words.",
    input: z.object({ query: z.string().trim().min(1).describe("What to look for, in a few words.") }),
    annotations: { readOnly: true },
    async execute({ query }) {
      index.update(await readAllMemory(files.workspace, paths));
      return JSON.stringify({ snippets: index.search(query, top) });
    },
  });
}
