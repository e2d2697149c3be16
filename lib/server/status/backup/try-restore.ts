import "server-only";
import { execFile } from "node:child_process";
import { lstat, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { BackupSummary, type DryRun } from "@/lib/schema/settings/backup";
import { askSqliteProcess } from "@/lib/server/platform/db/aside/sqlite-process";
import { compareWithKnown, type KnownMigrations } from "@/lib/server/platform/db/migrations/compare-migrations";
import { pathOnly } from "@/lib/server/platform/db/postgres-client";
import { env } from "@/lib/server/platform/env";
import { SecretUnreadable, secretBox } from "@/lib/server/platform/secrets/secrets";
import { DATABASE_FILE, DUMP_FILE, SUMMARY_FILE } from "./make-backup";

const CHECK_TIMEOUT_MS = 1_800_000;
const MAX_LIST_BYTES = 500_000_000;
const run = promisify(execFile);

/**
 * Unpacks the archive in a separate place and checks whether a restore would work: the archive is complete, its
 * database opens and fits this version, and the secret decrypts it. Changes nothing. Throws `not_found` if the file
 * does not exist.
 */
export async function tryRestore(archive: string): Promise<DryRun> {
  const facts = await stat(archive).catch(() => null);
  if (!facts?.isFile()) throw new AppError("not_found", `There is no file ${archive} on the server.`);
  const folder = await mkdtemp(path.join(tmpdir(), "ringmaster-dry-run-"));
  const found: DryRun = {
    ok: false,
    problems: [],
    facts: null,
    sizeBytes: facts.size,
    files: 0,
    counts: null,
    migrations: { missing: 0, unknown: [] },
    secretFits: null,
  };
  try {
    await unpack(archive, folder, found);
    if (found.problems.length === 0) await look(folder, found);
    return { ...found, ok: found.problems.length === 0 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function unpack(archive: string, folder: string, found: DryRun): Promise<void> {
  const options = { env: pathOnly(), timeout: CHECK_TIMEOUT_MS, maxBuffer: MAX_LIST_BYTES };
  try {
    const { stdout } = await run("tar", ["-tzf", archive], options);
    const names = stdout.split("\n").filter((name) => name !== "" && name !== "./");
    const ours = [DATABASE_FILE, DUMP_FILE, SUMMARY_FILE].map((name) => `./${name}`);
    const there = ours.filter((name) => names.includes(name));
    found.files = names.length - there.length;
    if (there.length > 0) await run("tar", ["-xzf", archive, "-C", folder, "--no-same-owner", ...there], options);
  } catch {
    found.problems.push("The archive is cut or damaged: it can't be unpacked. Copy it again, or use another one.");
  }
}

async function look(folder: string, found: DryRun): Promise<void> {
  const read = await readOwn(folder, SUMMARY_FILE);
  const facts = BackupSummary.safeParse(read === null ? null : parseJson(read));
  if (!facts.success) {
    found.problems.push("This is not a backup of Ringmaster: it has no backup.json. Use a file that Back up now made.");
    return;
  }
  found.facts = facts.data;
  const isSqlite = env().databaseUrl.startsWith("file:");
  if (isSqlite !== (facts.data.database === "sqlite")) {
    const other = isSqlite ? "Postgres" : "SQLite";
    found.problems.push(`Its database is ${other}, and this installation's is not. Restore it where ${other} is used.`);
    return;
  }
  if (isSqlite) await lookAtSqlite(path.join(folder, DATABASE_FILE), found);
  else await lookAtDump(path.join(folder, DUMP_FILE), found);
}

/** Refuses links, which would lead out of the folder. */
async function readOwn(folder: string, name: string): Promise<string | null> {
  const file = path.join(folder, name);
  const facts = await lstat(file).catch(() => null);
  return facts?.isFile() && facts.size < 100_000 ? readFile(file, "utf8") : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const LOOK = `
  const connection = new Connection(values[0]);
  const one = (sql) => connection.prepare(sql).pluck().get();
  reply({
    check: one("pragma quick_check"),
    migrations: connection.prepare('select "migration_name" from "_prisma_migrations" where "finished_at" is not null').pluck().all(),
    people: one('select count(*) from "user"'), agents: one('select count(*) from "agent"'),
    threads: one('select count(*) from "thread"'), runs: one('select count(*) from "run"'),
    canary: one("select value from setting where key = 'secret_canary'") ?? null,
  });`;
const Looked = z.object({
  check: z.string(),
  migrations: z.array(z.string()),
  canary: z.string().nullable(),
  people: z.number(),
  agents: z.number(),
  threads: z.number(),
  runs: z.number(),
});

async function lookAtSqlite(file: string, found: DryRun): Promise<void> {
  const facts = await lstat(file).catch(() => null);
  const looked = facts?.isFile()
    ? await askSqliteProcess(LOOK, [file], CHECK_TIMEOUT_MS).then(
        (reply) => Looked.safeParse(reply).data,
        () => undefined,
      )
    : undefined;
  if (looked?.check !== "ok") {
    found.problems.push("The database of this backup is damaged or missing. Use another backup.");
    return;
  }
  const { people, agents, threads, runs, canary } = looked;
  found.counts = { people, agents, threads, runs };
  const { missing, unknown, folded } = compareWithKnown(looked.migrations, await knownMigrations());
  found.migrations = { missing: missing.length, unknown };
  if (folded === "some") {
    found.problems.push("It is of a state before the first release, which this version can't bring up to date.");
  }
  if (unknown.length > 0) {
    found.problems.push("It was made by a newer version of Ringmaster. Update this installation first.");
  }
  found.secretFits = canary === null ? null : isReadable(canary);
  if (found.secretFits === false) {
    found.problems.push("It was encrypted with another secret. Put the secret file of that installation beside it.");
  }
}

async function knownMigrations(): Promise<KnownMigrations> {
  const folder = path.join(process.cwd(), "prisma", "sqlite", "migrations");
  const entries = await readdir(folder, { withFileTypes: true });
  const folded = (await readFile(path.join(folder, "folded.txt"), "utf8")).trim().split("\n");
  return {
    names: entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort(),
    folded,
  };
}

function isReadable(canary: string): boolean {
  try {
    secretBox().decrypt(canary, "secret_canary");
    return true;
  } catch (error) {
    if (error instanceof SecretUnreadable) return false;
    throw error;
  }
}

async function lookAtDump(file: string, found: DryRun): Promise<void> {
  try {
    const { stdout } = await run("pg_restore", ["--list", file], { env: pathOnly(), timeout: CHECK_TIMEOUT_MS });
    const lacks = ["user", "agent", "thread", "run"].some((table) => !stdout.includes(` TABLE DATA public ${table} `));
    if (lacks) found.problems.push("The dump lacks tables of Ringmaster. Use another backup.");
  } catch {
    found.problems.push("pg_restore can't read the dump, or is not on this machine. Try it where Postgres is.");
  }
}
