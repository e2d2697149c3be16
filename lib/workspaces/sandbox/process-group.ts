import { type ChildProcess, spawn } from "node:child_process";

export interface GroupRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Default: nothing comes. */
  readonly stdin?: "ignore" | "pipe";
}

/**
 * Starts a process in a group of its own, without a terminal. Its descriptor 3 is a leash: nothing ever comes, and it
 * ends when the group is killed or this server dies.
 */
export function startGroup({ argv, cwd, env, stdin = "ignore" }: GroupRequest): ChildProcess {
  const [command = "", ...args] = argv;
  // Without the mark, the build sees a command it can't know and traces the whole project.
  return spawn(/* turbopackIgnore: true */ command, args, {
    cwd,
    env: env as NodeJS.ProcessEnv,
    stdio: [stdin, "pipe", "pipe", "pipe"],
    detached: true,
  });
}

/** Kills the process with all that it has started, and closes its leash. */
export function killGroup(child: ChildProcess): void {
  child.stdio[3]?.destroy();
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group is gone.
  }
}
