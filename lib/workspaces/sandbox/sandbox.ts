import type { CommandResult } from "@/lib/agent/workspace/workspace";
import type { CommandLimits } from "@/lib/workspaces/limits";
import { self } from "@/lib/workspaces/local/local-descriptors";
import type { LocalRoot } from "@/lib/workspaces/local/local-root";
import { runProcess, type StopReason } from "./run-process";
import { resourceLimits, sandboxCommand } from "./sandbox-command";
import { becomeUser, launcherEnvironment, SEARCH_PATH } from "./sandbox-launcher";

/**
 * How commands run: in bubblewrap, or directly on the machine with only time and output limits (a single-user
 * installation that opted in).
 */
export type SandboxMode = "bubblewrap" | "unsafe";

/** The settings shared by all commands of one workspace. */
export interface SandboxSettings {
  readonly mode: SandboxMode;
  readonly root: LocalRoot;
  readonly workdir: string;
  readonly network: boolean;
  readonly memoryBytes: number;
  readonly limits: CommandLimits;
}

/** One program to run. `argv` is never interpreted by a shell. */
export interface SandboxRequest {
  readonly argv: readonly string[];
  /** The folder below the workspace's root in which it starts. */
  readonly folder?: string;
  readonly readOnly?: boolean;
  /** A server folder that the program sees read-only at `/skills`; requires bubblewrap. */
  readonly skillsFolder?: string;
  /** No file can grow, so that only deleting works. */
  readonly deleteOnly?: boolean;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly stopOutputBytes: number;
  readonly signal: AbortSignal;
  readonly watch?: (pid: number, stop: (reason: StopReason) => void) => () => void;
}

/**
 * Runs a program with the workspace as its folder. The folder is passed as a descriptor, so that the program gets the
 * same folder as the file tools. Rejects with WorkspaceError if nothing could be started.
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
