// The backup that an update makes of the database before it changes it: <data>/backups/before-<version>-<time>/.
import { createHash } from "node:crypto";
import {
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import Connection from "better-sqlite3";
import { z } from "zod";
import { clientEnvironment, explainClient } from "@/lib/server/platform/db/postgres-client";
import { makeFolder } from "@/lib/server/platform/make-folder";
import { VERSION } from "@/lib/server/platform/version";
import type { Installation } from "../backup/backup";
import { DatabaseRefused } from "../database/apply-migrations";
import { outputOf } from "../run-command";

/** What the folder says of itself; `rows` by table, null where they were not counted (Postgres). */
const Manifest = z.object({
  /** The version that wrote the database last, if it is known, and the one that updates it. */
  from: z.string().nullable(),
  to: z.string(),
  createdAt: z.iso.datetime(),
  /** When all migrations were applied; null if the update was cut off. */
  finishedAt: z.iso.datetime().nullable(),
  migrations: z.array(z.string()),
  rows: z.record(z.string(), z.int()).nullable(),
  file: z.string(),
  sha256: z.string(),
});
type UpdateManifest = z.infer<typeof Manifest>;

export interface UpdateBackup {
  readonly folder: string;
  readonly manifest: UpdateManifest;
}

const PREFIX = "before-";
const PARTIAL = ".partial";
const MANIFEST = "manifest.json";
const SQLITE_COPY = "ringmaster.db";
const POSTGRES_COPY = "ringmaster.dump";
const KEPT = 3;
const DUMP_TIMEOUT_MS = 3_600_000;

/** The backups of before updates, newest first. */
export function listUpdateBackups(dataDirectory: string): UpdateBackup[] {
  const backups = backupsFolder(dataDirectory);
  if (!existsSync(backups)) return [];
  return readdirSync(backups)
    .filter((name) => name.startsWith(PREFIX) && !name.endsWith(PARTIAL))
    .map((name) => ({ folder: path.join(backups, name), manifest: readManifest(path.join(backups, name)) }))
    .filter((backup): backup is UpdateBackup => backup.manifest !== null)
    .toSorted((one, other) => other.manifest.createdAt.localeCompare(one.manifest.createdAt));
}

/** Copies the database and looks at the copy. The folder appears when it is whole. Throws DatabaseRefused. */
export async function backUpBeforeUpdate(
  { dataDirectory, databaseUrl }: Installation,
  migrations: readonly string[],
  from: string | null,
  now = new Date(),
): Promise<UpdateBackup> {
  const createdAt = now.toISOString();
  const folder = path.join(backupsFolder(dataDirectory), `${PREFIX}${VERSION}-${createdAt.replaceAll(/[:.]/g, "")}`);
  const partial = `${folder}${PARTIAL}`;
  removePartial(dataDirectory);
  makeFolder(partial, 0o700);
  try {
    const isSqlite = databaseUrl.startsWith("file:");
    const file = isSqlite ? SQLITE_COPY : POSTGRES_COPY;
    const copy = path.join(partial, file);
    const rows = isSqlite ? copySqlite(databaseUrl.slice("file:".length), copy) : await dumpPostgres(databaseUrl, copy);
    const sha256 = await hashOf(copy);
    const facts = { from, to: VERSION, createdAt, finishedAt: null, migrations: [...migrations], rows, file, sha256 };
    writeManifest(partial, facts);
    renameSync(partial, folder);
    return { folder, manifest: facts };
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Notes that the update went through, and removes all but the newest backups. */
export function finishUpdate(dataDirectory: string, { folder, manifest }: UpdateBackup, now = new Date()): void {
  writeManifest(folder, { ...manifest, finishedAt: now.toISOString() });
  for (const old of listUpdateBackups(dataDirectory).slice(KEPT)) rmSync(old.folder, { recursive: true, force: true });
}

/** Whether the copy is still what was written. */
export async function isWhole({ folder, manifest }: UpdateBackup): Promise<boolean> {
  const file = path.join(folder, manifest.file);
  return existsSync(file) && (await hashOf(file)) === manifest.sha256;
}

function backupsFolder(dataDirectory: string): string {
  return path.join(dataDirectory, "backups");
}

/** What a killed update was copying. */
function removePartial(dataDirectory: string): void {
  const backups = backupsFolder(dataDirectory);
  if (!existsSync(backups)) return;
  for (const name of readdirSync(backups).filter((found) => found.startsWith(PREFIX) && found.endsWith(PARTIAL))) {
    rmSync(path.join(backups, name), { recursive: true, force: true });
  }
}

/** Returns the rows of each table, which the copy was found to have too. */
function copySqlite(from: string, to: string): Record<string, number> {
  const source = new Connection(from, { readonly: true, timeout: 5_000 });
  try {
    source.prepare("vacuum into ?").run(to);
    const rows = countRows(source);
    const copy = new Connection(to, { readonly: true });
    try {
      const found = copy.pragma("integrity_check(1)", { simple: true });
      if (found !== "ok")
        throw new DatabaseRefused(`The backup before the update is damaged: ${String(found)}. ${CHECK_DISK}`);
      const copied = countRows(copy);
      const differing = Object.keys(rows).filter((table) => rows[table] !== copied[table]);
      if (differing.length > 0)
        throw new DatabaseRefused(`The backup before the update lacks rows of ${differing.join(", ")}. ${CHECK_DISK}`);
    } finally {
      copy.close();
    }
    return rows;
  } finally {
    source.close();
  }
}

const CHECK_DISK = "Look at the disk, then start again.";

function countRows(connection: Connection.Database): Record<string, number> {
  const names = z
    .array(z.string())
    .parse(
      connection
        .prepare(
          "select name from sqlite_master where type = 'table' and sql not like '%virtual table%' collate nocase and name not like 'sqlite_%' order by name",
        )
        .pluck()
        .all(),
    );
  const count = (name: string) => z.int().parse(connection.prepare(`select count(*) from "${name}"`).pluck().get());
  return Object.fromEntries(names.map((name) => [name, count(name)]));
}

async function dumpPostgres(databaseUrl: string, to: string): Promise<null> {
  const options = { timeout: DUMP_TIMEOUT_MS, env: clientEnvironment(databaseUrl) };
  try {
    await outputOf("pg_dump", ["--format=custom", `--file=${to}`, "--no-password"], options);
    await outputOf("pg_restore", ["--list", to], options);
  } catch (error) {
    const { reason, remedy } = explainClient(error instanceof Error ? error.cause : error);
    const advice = `${remedy} ${remedy === "" ? "Make" : "Or make"} a backup yourself and start with --without-backup.`;
    throw new DatabaseRefused(`No backup could be made before the update. ${reason} ${advice.trim()}`, {
      cause: error,
    });
  }
  return null;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

function readManifest(folder: string): UpdateManifest | null {
  const file = path.join(folder, MANIFEST);
  if (!existsSync(file) || !statSync(file).isFile()) return null;
  try {
    return Manifest.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    // Cut or foreign: it is not a backup of ours.
    return null;
  }
}

function writeManifest(folder: string, manifest: UpdateManifest): void {
  const file = path.join(folder, MANIFEST);
  writeFileSync(`${file}.new`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
