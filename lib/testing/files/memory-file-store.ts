import type { StateFileStore } from "@/lib/workspaces/state-workspace";

/** An in-memory file store of a `state` workspace, for tests that need no database. */
export function createMemoryFileStore(files: Record<string, string> = {}): StateFileStore {
  const encoder = new TextEncoder();
  const stored = new Map(Object.entries(files).map(([path, text]) => [path, encoder.encode(text)]));
  const describe = ([path, bytes]: [string, Uint8Array]) => ({ path, sizeBytes: bytes.byteLength });
  return {
    list: async (folder) =>
      [...stored].filter(([path]) => folder === "" || path.startsWith(`${folder}/`)).map(describe),
    find: async (paths) => [...stored].filter(([path]) => paths.includes(path)).map(describe),
    read: async (path) => stored.get(path)?.slice() ?? null,
    write: async (path, bytes) => void stored.set(path, bytes.slice()),
    remove: async (path) => stored.delete(path),
    totalBytes: async () => [...stored.values()].reduce((sum, bytes) => sum + bytes.byteLength, 0),
  };
}
