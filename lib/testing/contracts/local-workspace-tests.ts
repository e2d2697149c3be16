import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach } from "vitest";
import type { Workspace } from "@/lib/agent/workspace/workspace";
import { createLocalWorkspace } from "@/lib/workspaces/local/local-workspace";

export const NO_SANDBOX = { available: false, reason: null, remedy: null, mode: null, ripgrep: false };

/** A search for content that no workspace may expose. */
export const SECRET_SEARCH = { pattern: "TOPSECRET", path: "", caseSensitive: true, limit: 10 };

/**
 * Shared by the tests of a file: a new local workspace per test, next to a folder with a secret that it must not
 * expose.
 */
export interface LocalWorkspaceTests {
  readonly root: string;
  /** The folder that contains `secret`. */
  readonly outside: string;
  readonly workspace: Workspace;
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
}

export function localWorkspaceTests(): LocalWorkspaceTests {
  const base = fs.mkdtempSync(join(tmpdir(), "ringmaster-local-"));
  let count = 0;
  let workspace: Workspace;
  const folder = (name: string) => join(base, String(count), name);

  beforeEach(() => {
    count += 1;
    fs.mkdirSync(folder("workspace"), { recursive: true });
    fs.mkdirSync(folder("outside"));
    fs.writeFileSync(join(folder("outside"), "secret"), "TOPSECRET");
    workspace = createLocalWorkspace({ root: folder("workspace"), sandbox: NO_SANDBOX });
  });
  afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

  return {
    get root() {
      return folder("workspace");
    },
    get outside() {
      return folder("outside");
    },
    get workspace() {
      return workspace;
    },
    write: (path, text) => workspace.write(path, new TextEncoder().encode(text)),
    read: async (path) => new TextDecoder().decode((await workspace.read(path, 1_000)).bytes),
  };
}
