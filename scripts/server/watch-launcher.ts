// Killing npm start must not leave the server behind: npm and its shell do not always pass a signal on.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const LOOK_EVERY_MS = 250;
/** The npm scripts that start a server. */
const STARTS: ReadonlySet<string> = new Set(["start", "dev"]);
const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "dash", "zsh", "ash", "busybox"]);

/**
 * Ends this process as SIGTERM does once the npm that started it, or the shell between the two, is gone. Started
 * without npm it does nothing: the process may then outlive its parent on purpose.
 */
export function endWithLauncher(environment: NodeJS.ProcessEnv = process.env): void {
  if (!STARTS.has(environment.npm_lifecycle_event ?? "")) return;
  const parent = process.ppid;
  const npm = npmAbove(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === null || isAlive(npm))) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, LOOK_EVERY_MS);
  timer.unref();
}

/**
 * The process above the shell in which npm runs a script; null if npm runs it without a shell, or this can't be
 * determined.
 */
function npmAbove(pid: number): number | null {
  const found = describeProcess(pid);
  return found !== null && SHELLS.has(found.name) && found.parent > 1 ? found.parent : null;
}

function describeProcess(pid: number): { readonly parent: number; readonly name: string } | null {
  try {
    const stat = `/proc/${pid}/stat`;
    const [, name = "", parent = ""] = existsSync(stat)
      ? (/^\d+ \((.*)\) \S (\d+)/su.exec(readFileSync(stat, "utf8")) ?? [])
      : swap(
          /^\s*(\d+)\s+(.*\S)/u.exec(
            execFileSync("ps", ["-o", "ppid=,comm=", "-p", String(pid)], { encoding: "utf8" }),
          ),
        );
    return { parent: Number(parent), name: path.basename(name) };
  } catch {
    return null;
  }
}

function swap(found: RegExpExecArray | null): readonly string[] {
  const [all = "", parent = "", name = ""] = found ?? [];
  return [all, name, parent];
}

/** EPERM counts as alive: the process belongs to another user. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
