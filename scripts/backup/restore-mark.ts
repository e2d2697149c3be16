// The mark of a restore that is under way. One that was interrupted leaves it: half of an installation must not be taken
// for an empty one, whose start would make a new database.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { typed } from "../installation";
import { Refused } from "../refused";

/** Its name in the data directory. */
export const MARK = ".restore-under-way";

const markOf = (dataDirectory: string) => path.join(dataDirectory, MARK);

/** Whether an interrupted restore has left its mark. */
export function isHalfRestored(dataDirectory: string): boolean {
  return existsSync(markOf(dataDirectory));
}

/**
 * `backup` is the folder that is restored. A mark that an interrupted restore has left names this one from now on; it
 * stays as it is if that can't be written.
 */
export function beginRestore(dataDirectory: string, backup: string): void {
  const next = `${markOf(dataDirectory)}.new`;
  try {
    // Readable for a service that runs as another user: only its name is in it.
    writeFileSync(next, backup, { mode: 0o644, flush: true });
  } catch (error) {
    // A full disk has room for its name.
    rmSync(next, { force: true });
    throw error;
  }
  // At once: killed anywhere, a restore that was interrupted before keeps its mark.
  renameSync(next, markOf(dataDirectory));
}

export function endRestore(dataDirectory: string): void {
  rmSync(markOf(dataDirectory), { force: true });
}

/** Throws Refused where a restore was interrupted. */
export function refuseHalfRestore(dataDirectory: string): void {
  const problem = describeHalfRestore(dataDirectory);
  if (problem !== null) throw new Refused(problem);
}

/** What is wrong where a restore was interrupted, and the two ways out; null elsewhere. */
export function describeHalfRestore(dataDirectory: string): string | null {
  if (!isHalfRestored(dataDirectory)) return null;
  const backup = readMark(dataDirectory);
  return (
    `a restore into ${dataDirectory} is under way or was interrupted. Run \`${typed(`restore ${backup || "<backup>"}`)}\` again. ` +
    `Or put back what was there before, from the folders there whose names begin with before-restore-, and delete ${markOf(dataDirectory)}.`
  );
}

/** The backup that was being restored; "" if this user may not read which one. */
function readMark(dataDirectory: string): string {
  try {
    return readFileSync(markOf(dataDirectory), "utf8").trim();
  } catch {
    return "";
  }
}
