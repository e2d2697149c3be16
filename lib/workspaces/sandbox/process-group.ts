import { type ChildProcess, spawn } from "node:child_process";

export interface GroupRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Default: no input. */
  readonly stdin?: "ignore" | "pipe";
}

/**
 * Starts a process in its own group, without a terminal. Its descriptor 3 is a leash: a pipe that never carries data
 * and closes when the group is killed or this server dies.
 */
export function startGroup({ argv, cwd, env, stdin = "ignore" }: GroupRequest): ChildProcess {
  const [command = "", ...args] = argv;
  // Without this comment the build can't resolve the command and traces the whole project.
  return spawn(/* turbopackIgnore: true */ command, args, {
    cwd,
    env: env as NodeJS.ProcessEnv,
    stdio: [stdin, "pipe", "pipe", "pipe"],
    detached: true,
  });
}

/** Kills the process and everything it has started, and closes its leash. */
export function killGroup(child: ChildProcess): void {
  child.stdio[3]?.destroy();
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group has already ended.
  }
}
