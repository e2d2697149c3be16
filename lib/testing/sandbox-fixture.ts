import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandOptions, CommandResult, Workspace } from "@/lib/agent/workspace";
import { createLocalWorkspace, type LocalWorkspaceOptions } from "@/lib/workspaces/local-workspace";
import { probeSandbox, type SandboxProbe } from "@/lib/workspaces/probe-sandbox";

type RunOptions = Partial<CommandOptions & LocalWorkspaceOptions>;

/**
 * A local workspace in a private data folder, as the server has it, with a file beside that folder which everybody on
 * the machine may read and no agent may see.
 */
export interface SandboxFixture {
  readonly probe: SandboxProbe;
  /** The folder around all; holds `secret`. */
  readonly base: string;
  readonly root: string;
  workspace(options?: Partial<LocalWorkspaceOptions>): Workspace;
  run(command: string, options?: RunOptions): Promise<CommandResult>;
  remove(): void;
}

export async function createSandboxFixture(): Promise<SandboxFixture> {
  const base = mkdtempSync(join(tmpdir(), "ringmaster-sandbox-"));
  const root = join(base, "data", "workspace");
  chmodSync(base, 0o755);
  mkdirSync(join(base, "data"), { mode: 0o700 });
  writeFileSync(join(base, "secret"), "TOPSECRET", { mode: 0o644 });
  const probe = await probeSandbox();
  const workspace = (options = {}) => createLocalWorkspace({ root, sandbox: probe, ...options });
  return {
    probe,
    base,
    root,
    workspace,
    async run(command, options = {}) {
      const { execute } = workspace(options);
      if (!execute) throw new Error(`There is no sandbox: ${probe.reason}`);
      const signal = new AbortController().signal;
      return execute(command, { timeoutMs: 20_000, maxOutputBytes: 65_536, signal, ...options });
    },
    remove() {
      // A command may have closed a folder to its own user.
      spawnSync("chmod", ["-R", "u+rwX", base]);
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** How many processes of this machine have exactly this command line. */
export function countProcesses(args: string): number {
  const { stdout } = spawnSync("ps", ["-eo", "args"], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.trim() === args).length;
}
