// The mark of a restore that is under way. One that was interrupted leaves it: half of an installation must not be taken
// for an empty one, whose start would make a new database.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

/** `backup` is the folder that is restored. */
export function beginRestore(dataDirectory: string, backup: string): void {
  if (isHalfRestored(dataDirectory)) return;
  try {
    writeFileSync(markOf(dataDirectory), backup, { mode: 0o600, flush: true });
  } catch (error) {
    // A full disk has room for its name.
    endRestore(dataDirectory);
    throw error;
  }
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
  const backup = readFileSync(markOf(dataDirectory), "utf8").trim();
  return (
    `a restore into ${dataDirectory} is under way or was interrupted. Run \`${typed(`restore ${backup || "<backup>"}`)}\` again. ` +
    `Or put back what was there before, from the folders there whose names begin with before-restore-, and delete ${markOf(dataDirectory)}.`
  );
}
