// A copy of the whole installation, taken while its server runs.
import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import Connection from "better-sqlite3";
import { copyTree } from "@/lib/server/files/copy-tree";
import { makeFolder } from "@/lib/server/platform/make-folder";
import { Refused } from "../refused";
import { refuseHalfRestore } from "./restore-mark";

/** The parts of a data directory that belong to the installation, besides the database. */
export const KEPT_FILES = ["secret", "agents.yaml"];
export const KEPT_FOLDERS = ["workspaces", "extensions"];

export interface Installation {
  readonly dataDirectory: string;
  readonly databaseUrl: string;
}

/**
 * Writes `folder` with `ringmaster.db`, the secret and the workspaces. The database is a consistent snapshot;
 * workspaces are copied after it, file by file. The folder appears only once it is complete. Returns what had to be
 * left out, with the reason.
 */
export async function backUp({ dataDirectory, databaseUrl }: Installation, folder: string): Promise<string[]> {
  refuseHalfRestore(dataDirectory);
  if (existsSync(folder)) throw new Refused(`${folder} already exists. Name a new folder.`);
  if (KEPT_FOLDERS.some((name) => isInside(folder, path.join(dataDirectory, name))))
    throw new Refused(`${folder} is part of what is backed up. Name another folder.`);
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  try {
    makeFolder(partial, 0o700);
    const leftOut = await copyInstallation({ dataDirectory, databaseUrl }, partial);
    renameSync(partial, folder);
    return leftOut;
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Returns what had to be left out. */
async function copyInstallation({ dataDirectory, databaseUrl }: Installation, to: string): Promise<string[]> {
  if (databaseUrl.startsWith("file:")) copyDatabase(databaseUrl.slice("file:".length), path.join(to, "ringmaster.db"));
  for (const name of KEPT_FILES.filter((file) => existsSync(path.join(dataDirectory, file)))) {
    copyFileSync(path.join(dataDirectory, name), path.join(to, name));
  }
  const leftOut: string[] = [];
  for (const name of KEPT_FOLDERS)
    leftOut.push(...(await copyTree(path.join(dataDirectory, name), path.join(to, name))));
  return leftOut;
}

/** Reading in one transaction disturbs no writer, and the result is a file without a journal. */
function copyDatabase(from: string, to: string): void {
  if (!existsSync(from)) throw new Refused(`There is no database at ${from}.`);
  const connection = new Connection(from, { readonly: true, timeout: 5000 });
  try {
    connection.prepare("vacuum into ?").run(to);
  } finally {
    connection.close();
  }
}

/** Whether `place` is `folder` or is in it. */
export function isInside(place: string, folder: string): boolean {
  const way = path.relative(path.resolve(folder), path.resolve(place));
  return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
