import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/** The directory in which Debian's `postgresql` package installs its versions. */
export const BINARIES = "/usr/lib/postgresql";

/** The folder of the newest installed server's programs, or null. */
export function findPostgres(): string | null {
  const versions = existsSync(BINARIES) ? readdirSync(BINARIES) : [];
  const newestFirst = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(BINARIES, version, "bin"));
  return newestFirst.find((directory) => existsSync(path.join(directory, "initdb"))) ?? null;
}
