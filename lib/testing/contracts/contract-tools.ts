import { beforeEach } from "vitest";
import type { Workspace } from "@/lib/agent/workspace/workspace";

export type CreateWorkspace = () => Workspace | Promise<Workspace>;

/** A new workspace per test, and helpers to read its files as text. */
export interface ContractTools {
  readonly workspace: Workspace;
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
  seed(files: Readonly<Record<string, string>>): Promise<void>;
  glob(pattern: string, path?: string): Promise<string[]>;
  grep(query: PartialQuery): ReturnType<Workspace["grep"]>;
  /** Matches as `file:line:text`. */
  lines(query: PartialQuery): Promise<string[]>;
}

interface PartialQuery {
  readonly pattern?: string;
  readonly path?: string;
  readonly glob?: string;
  readonly caseSensitive?: boolean;
  readonly limit?: number;
}

/** Patterns that would take a backtracking engine years finish within this time, even on a busy machine. */
export const A_MOMENT_MS = 20_000;

/** Call within a `describe`. */
export function contractTools(create: CreateWorkspace): ContractTools {
  let workspace: Workspace;
  beforeEach(async () => {
    workspace = await create();
  });
  const tools: ContractTools = {
    get workspace() {
      return workspace;
    },
    write: (path, text) => workspace.write(path, new TextEncoder().encode(text)),
    read: async (path) => new TextDecoder().decode((await workspace.read(path, 1_000_000)).bytes),
    async seed(files) {
      for (const [path, text] of Object.entries(files)) await tools.write(path, text);
    },
    glob: async (pattern, path = "") => (await workspace.glob(pattern, path, 100)).files,
    grep: (query) => workspace.grep({ pattern: "needle", path: "", caseSensitive: true, limit: 200, ...query }),
    lines: async (query) =>
      (await tools.grep(query)).matches.map((match) => `${match.file}:${match.line}:${match.text}`),
  };
  return tools;
}

/** The code of a WorkspaceError, or "accepted". */
export function refusal(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(() => "accepted").catch((error) => error.code ?? error);
}
