import type { CommandResult, FileHistory, Workspace } from "@/lib/agent/workspace/workspace";
import { createMemoryFileStore } from "@/lib/testing/files/memory-file-store";
import { createStateWorkspace } from "@/lib/workspaces/state-workspace";

/** An in-memory workspace with these files. With `execute` it also "runs" commands, answered by that function. */
export function createTestWorkspace(
  files: Record<string, string> = {},
  execute?: (command: string) => Partial<CommandResult>,
): Workspace {
  const workspace = createStateWorkspace(createMemoryFileStore(files));
  if (!execute) return workspace;
  return {
    ...workspace,
    execute: async (command) => ({ exitCode: 0, output: "", truncated: false, durationMs: 1, ...execute(command) }),
  };
}

/** The text of a file, for assertions. */
export async function readText(workspace: Workspace, path: string): Promise<string> {
  const { bytes } = await workspace.read(path, 10_000_000);
  return new TextDecoder().decode(bytes);
}

/** Counts versions per path and collects what was recorded. */
export function createTestHistory(): FileHistory & { readonly changes: Parameters<FileHistory["record"]>[0][] } {
  const changes: Parameters<FileHistory["record"]>[0][] = [];
  return {
    changes,
    async record(change) {
      changes.push(change);
      const version = changes.filter(({ path }) => path === change.path).length;
      return { version, addedLines: 1, removedLines: 0 };
    },
  };
}
