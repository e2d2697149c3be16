// Whether the SQLite file is intact. A process of its own reads it (check-file.ts): that takes seconds per gigabyte,
// during which the server would otherwise not respond.
import { execFile } from "node:child_process";
import { constants, setPriority } from "node:os";
import { noteDamage } from "@/lib/server/platform/db/damage";
import { programFile, programOptions } from "@/lib/workspaces/program-file";
import { projectDirectory } from "../project-directory";

/** A check that takes longer counts as not done. */
const LIMIT_MS = 300_000;
/** Time that a start waits for the result: enough for some hundred megabytes. */
const START_WAITS_MS = 1_500;

/**
 * Checks the file while the server starts. Resolves with the problem as soon as it is known, or with null if there is
 * none or the check takes longer than a start should wait; it then continues, and `/health` reports what it finds.
 */
export async function checkDatabase(databaseUrl: string, startWaitsMs = START_WAITS_MS): Promise<string | null> {
  if (!databaseUrl.startsWith("file:")) return null;
  const check = findDamage(databaseUrl.slice("file:".length)).then((problem) => {
    if (problem !== null) noteDamage(problem);
    return problem;
  });
  const { promise: enough, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, startWaitsMs, null);
  return Promise.race([check, enough]).finally(() => clearTimeout(timer));
}

/** The damage that SQLite reports; null if there is none, or the check was inconclusive. */
export function findDamage(file: string): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const program = ["--no-warnings", ...programOptions(), programFile("scripts/server/check-file"), file];
  const env = { NODE_ENV: process.env.NODE_ENV };
  const limits = { timeout: LIMIT_MS, killSignal: "SIGKILL", cwd: projectDirectory, env } as const;
  const child = execFile(process.execPath, program, limits, (_error, output) => resolve(output.trim() || null));
  child.unref();
  if (child.pid !== undefined) lowerPriority(child.pid);
  return promise;
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already.
  }
}
