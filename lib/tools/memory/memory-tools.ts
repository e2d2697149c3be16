import type { Tool } from "@/lib/agent/tools/tool";
import { memoryAppendTool } from "./memory-append";
import type { MemoryFiles } from "./memory-documents";
import { memoryReadTool } from "./memory-read";
import { memorySearchTool } from "./memory-search";
import { memoryWriteTool } from "./memory-write";

export const MEMORY_TOOL_NAMES = ["memory_read", "memory_append", "memory_write", "memory_search"];

/** How many snippets a search returns. */
const DEFAULT_TOP = 5;

/** The four memory tools; an agent has those named in its `tools`. */
export function memoryTools(memory: MemoryFiles, top = DEFAULT_TOP): Tool[] {
  return [
    memoryReadTool(memory),
    memoryAppendTool(memory),
    memoryWriteTool(memory),
    memorySearchTool(memory, Math.max(1, top)),
  ];
}
