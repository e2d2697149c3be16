import { promises as fs } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CommandResult, WorkspaceError } from "@/lib/agent/workspace/workspace";
import type { SandboxStatus } from "@/lib/schema/agents/agent-info";
import { COMMAND_LIMITS } from "@/lib/workspaces/limits";
import { createLocalRoot } from "@/lib/workspaces/local/local-root";
import { probeLocalFiles } from "@/lib/workspaces/local/probe-local-files";
import { runInSandbox, type SandboxMode } from "./sandbox";
import type { SandboxBackend } from "./sandbox-backend";
import { explainSandbox } from "./sandbox-remedies";
import { sandboxUid } from "./sandbox-uid";

/** The capabilities of this machine's sandbox, found by running it. `mode` is null if no command can run. */
export interface SandboxProbe extends SandboxStatus {
  readonly mode: SandboxMode | "docker" | null;
  /** Where commands run if `mode` is docker. */
  readonly backend?: SandboxBackend;
  /** ripgrep works in the sandbox, so grep need not read every file itself. */
  readonly ripgrep: boolean;
}

const WORKS = "ringmaster-sandbox-works";
const PROBE = `(exit 3); rg --version >/dev/null 2>&1 && echo ripgrep; echo ${WORKS} | cat`;

/**
 * Runs a test command in the sandbox, just like agents' commands, and reports what is missing. Call it once, at
 * start-up. `unsafe` is the operator's explicit opt-in (RINGMASTER_ALLOW_UNSANDBOXED=1) to run commands without a
 * sandbox if there is none; a working sandbox is still used.
 */
export async function probeSandbox(options: { readonly unsafe?: boolean } = {}): Promise<SandboxProbe> {
  const files = await probeLocalFiles();
  if (!files.available) return { ...files, mode: null, ripgrep: false };
  const output = await tryCommand();
  if (output.endsWith(WORKS)) {
    return { available: true, reason: null, remedy: null, mode: "bubblewrap", ripgrep: output.startsWith("ripgrep") };
  }
  const problem = explainSandbox(output);
  if (!options.unsafe) return { available: false, ...problem, mode: null, ripgrep: false };
  const reason = `UNSAFE: commands run on this machine without a sandbox and can read and change what the server can. ${problem.reason}`;
  const remedy = `${problem.remedy} Then remove RINGMASTER_ALLOW_UNSANDBOXED.`;
  return { available: true, reason, remedy, mode: "unsafe", ripgrep: false };
}

/** The output of the probe, or why it didn't start. */
async function tryCommand(): Promise<string> {
  const path = await fs.mkdtemp(join(tmpdir(), "ringmaster-probe-"));
  try {
    const result = await runProbe(path);
    return result.stopped ? `The sandbox did not answer (${result.stopped}).` : result.output.trim();
  } catch (error) {
    if (error instanceof WorkspaceError) return error.message;
    throw error;
  } finally {
    await fs.rm(path, { recursive: true, force: true });
  }
}

function runProbe(path: string): Promise<CommandResult> {
  const root = createLocalRoot(path, sandboxUid("probe"));
  const memoryBytes = 2 ** 30;
  return runInSandbox(
    { mode: "bubblewrap", root, workdir: "/workspace", network: false, memoryBytes, limits: COMMAND_LIMITS },
    {
      argv: ["bash", "-c", PROBE],
      timeoutMs: 10_000,
      maxOutputBytes: 4_096,
      stopOutputBytes: 65_536,
      signal: AbortSignal.timeout(10_000),
    },
  );
}
