// Runs other programs to completion.
import { type ChildProcess, type ExecFileOptions, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { projectDirectory } from "./project-directory";

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
const MAX_OUTPUT_BYTES = 100_000_000;

/** Runs one of the project's scripts with this Node, showing its output; returns its exit code. */
export async function runNode(
  script: string,
  scriptArguments: readonly string[],
  extraEnvironment: Readonly<Record<string, string>> = {},
): Promise<number> {
  const child = spawn(process.execPath, [path.join(projectDirectory, script), ...scriptArguments], {
    cwd: projectDirectory,
    env: { ...process.env, ...extraEnvironment },
    stdio: ["ignore", "inherit", "inherit"],
  });
  forwardSignals(child);
  const [code] = await once(child, "close");
  return code ?? 1;
}

/** Runs `program` and returns its standard output; throws with all of its output if it fails. */
export async function outputOf(
  program: string,
  programArguments: readonly string[],
  options: ExecFileOptions,
): Promise<string> {
  const running = promisify(execFile)(program, [...programArguments], {
    ...options,
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  forwardSignals(running.child);
  running.child.stdin?.end();
  try {
    return (await running).stdout;
  } catch (error) {
    if (!(error instanceof Error) || !("stdout" in error) || !("stderr" in error)) throw error;
    if ("code" in error && error.code === "ENOENT") throw new Error(`${program} was not found.`, { cause: error });
    const name = [program, ...programArguments].map((part) => path.basename(part)).join(" ");
    throw new Error(`${name} failed:\n${error.stdout}${error.stderr}`, { cause: error });
  }
}

/** Ends `child` when a signal ends this process: otherwise it would continue, and hold what the next start needs. */
function forwardSignals(child: ChildProcess): void {
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.once(signal, end);
  child.once("exit", () => {
    for (const signal of SIGNALS) process.off(signal, end);
  });
}
