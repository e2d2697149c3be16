import type { Hook } from "@/lib/agent/hook";
import { normalizePath, type Workspace, WorkspaceError } from "@/lib/agent/workspace";
import { decodeForReading } from "@/lib/tools/file-text";

interface MemoryOptions {
  readonly workspace: Workspace;
  readonly workdir: string;
  readonly paths: readonly string[];
}

/** What is read of one memory document. */
const MAX_MEMORY_BYTES = 200_000;

/**
 * S0's memory hook: reads the documents at `memory.paths` at the start of a segment and adds them to the system
 * prompt of every model call. Missing files are skipped; a file the agent changes is read again by the next run.
 */
export function memoryHook({ workspace, workdir, paths }: MemoryOptions): Hook {
  let documents: string[] = [];
  return {
    name: "memory",
    async beforeAgent() {
      const found: string[] = [];
      for (const path of paths) {
        const text = await readDocument(workspace, normalizePath(path, workdir));
        if (text !== null) found.push(text);
      }
      documents = found;
    },
    async modifyRequest(request) {
      const text = `<agent_memory>\n${documents.join("\n\n---\n\n")}\n</agent_memory>\n\n${guidance(paths)}`;
      return { ...request, system: [...request.system, { name: "memory", text }] };
    },
  };
}

/** S0's four points, in this project's words; they name the files because an empty memory has nothing else to show. */
function guidance(paths: readonly string[]): string {
  return `How to use this memory:
- It lasts: what stands here is there again in later conversations.
- Change it with edit_file on ${paths.join(", ")} (write_file while the file does not exist).
- Keep context, decisions and patterns in it that will matter again.
- Keep it short and tidy: merge what belongs together and remove what no longer holds.`;
}

async function readDocument(workspace: Workspace, path: string): Promise<string | null> {
  try {
    const { bytes } = await workspace.read(path, MAX_MEMORY_BYTES);
    return decodeForReading(path, bytes);
  } catch (error) {
    if (error instanceof WorkspaceError) return null;
    throw error;
  }
}
