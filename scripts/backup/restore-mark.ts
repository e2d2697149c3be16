// The mark of a restore that is under way. One that was killed leaves it: half of an installation must not be taken for
// an empty one, whose start would make a new database.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { typed } from "../installation";
import { Refused } from "../refused";

/** Its name in the data directory. */
export const MARK = ".restore-under-way";

export function beginRestore(dataDirectory: string, backup: string): void {
  writeFileSync(path.join(dataDirectory, MARK), backup, { mode: 0o600, flush: true });
}

export function endRestore(dataDirectory: string): void {
  rmSync(path.join(dataDirectory, MARK), { force: true });
}

/** Throws Refused where a restore was cut off. */
export function refuseHalfRestore(dataDirectory: string): void {
  if (!existsSync(path.join(dataDirectory, MARK))) return;
  throw new Refused(
    `a restore into ${dataDirectory} was cut off. Run \`${typed("restore <backup>")}\` again; what was there before is in its folders before-restore-….`,
  );
}
