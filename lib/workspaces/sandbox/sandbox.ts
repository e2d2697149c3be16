import type { CommandResult } from "@/lib/agent/workspace/workspace";
import type { CommandLimits } from "@/lib/workspaces/limits";
import { self } from "@/lib/workspaces/local/local-descriptors";
import type { LocalRoot } from "@/lib/workspaces/local/local-root";
import { runProcess, type StopReason } from "./run-process";
import { resourceLimits, sandboxCommand } from "./sandbox-command";
import { becomeUser, launcherEnvironment, SEARCH_PATH } from "./sandbox-launcher";

/**
 * How commands run: in bubblewrap, or on the bare machine with limits of time and output only (a single-user
 * installation that asked for it).
 */
export type SandboxMode = "bubblewrap" | "unsafe";

/** What all commands of one workspace share. */
export interface SandboxSettings {
  readonly mode: SandboxMode;
  readonly root: LocalRoot;
  readonly workdir: string;
  readonly network: boolean;
  readonly memoryBytes: number;
  readonly limits: CommandLimits;
}

/** One program to run. `argv` goes to no shell of ours. */
export interface SandboxRequest {
  readonly argv: readonly string[];
  /** Where it starts, below the workspace's root. */
  readonly folder?: string;
  readonly readOnly?: boolean;
  /** A folder of ours that the program sees read-only at `/skills`; not without bubblewrap. */
  readonly skillsFolder?: string;
  /** No file can grow: all that works is deleting. */
  readonly deleteOnly?: boolean;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly stopOutputBytes: number;
  readonly signal: AbortSignal;
  readonly watch?: (pid: number, stop: (reason: StopReason) => void) => () => void;
}

/**
 * Runs a program with the workspace as its folder. The folder is handed over as a descriptor, so that what the program
 * gets is what the file tools have. Rejects with WorkspaceError when nothing could be started.
 */
export async function runInSandbox(settings: SandboxSettings, request: SandboxRequest): Promise<CommandResult> {
  await using folder = await settings.root.open();
  const limits = request.deleteOnly ? { ...settings.limits, fileBytes: 0 } : settings.limits;
  const command = { ...settings, limits };
  return await runProcess({
    ...request,
    argv: settings.mode === "unsafe" ? unsafeCommand(command, request) : confinedCommand(command, request),
    cwd: self(folder),
    env: settings.mode === "unsafe" ? unsafeEnvironment(settings.root) : launcherEnvironment(settings.workdir),
  });
}

function confinedCommand(settings: SandboxSettings, request: SandboxRequest): string[] {
  const { root, workdir, network, memoryBytes, limits } = settings;
  const { argv, folder, readOnly, skillsFolder } = request;
  const settled = { argv, workdir, folder, uid: root.uid, network, memoryBytes, readOnly, limits };
  return sandboxCommand(skillsFolder === undefined ? settled : { ...settled, skillsFolder });
}

function unsafeCommand(settings: SandboxSettings, request: SandboxRequest): string[] {
  const user = settings.root.uid === null ? [] : becomeUser(settings.root.uid);
  const oneStream = ["bash", "-c", 'exec 2>&1 3<&- "$@"', "launcher"];
  return [...oneStream, ...user, "prlimit", ...resourceLimits(settings), "--", ...request.argv];
}

function unsafeEnvironment(root: LocalRoot): Record<string, string> {
  return { PATH: SEARCH_PATH, HOME: root.path, LANG: "C.UTF-8", TERM: "dumb" };
}
