import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { AppError } from "@/lib/schema/app-error";
import { makeDataDirectory } from "@/lib/server/platform/data-directory";
import type { Database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";

/**
 * Why this process can't use the folder of a `local` workspace: on Postgres, the folder is on the machine whose run
 * used it first. Null if it is here; a process that executes runs claims a folder nobody has used.
 */
export async function findElsewhere(database: Database, workspaceId: string): Promise<string | null> {
  if (database.dialect.provider === "sqlite") return null;
  const { dataDirectory, role } = env();
  const here = placeOf(path.join(dataDirectory, "workspaces"));
  const where = { id: workspaceId };
  if (role !== "web") await database.workspace.updateMany({ where: { ...where, place: null }, data: { place: here } });
  const place = (await database.workspace.findUnique({ where, select: { place: true } }))?.place ?? null;
  if (place === here) return null;
  if (place === null) return NOWHERE;
  const machine = place.slice(place.indexOf(" ") + 1);
  return `The files of this workspace are in a folder of another process, on the machine ${machine}. ${ADVICE}`;
}

/** Throws `unavailable` if `findElsewhere` returns a reason. */
export async function requireHere(database: Database, workspaceId: string): Promise<void> {
  const reason = await findElsewhere(database, workspaceId);
  if (reason !== null) throw new AppError("unavailable", reason);
}

const ADVICE =
  "Where several processes work, give the agent backend.type state, or mount one folder as `workspaces` into every data directory.";
const NOWHERE = `The files of this workspace will be in a folder of the process that executes its first run, and this one executes none. ${ADVICE}`;

/** A random id with the machine's name, kept in the folder itself, so that a shared folder counts as one place. */
function placeOf(folder: string): string {
  const file = path.join(folder, ".place");
  makeDataDirectory(folder);
  try {
    writeFileSync(file, `${randomBytes(9).toString("base64url")} ${hostname()}`, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return readFileSync(file, "utf8");
}
