// What the doctor finds in the database and in what lies beside it. It only reads.
import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import Connection from "better-sqlite3";
import { createExtensionLoader } from "@/lib/server/extensions/load-natively";
import { type Database, openDatabase } from "@/lib/server/platform/db/database";
import { type ClientProblem, findClientProblem } from "@/lib/server/platform/db/postgres-client";
import type { Environment } from "@/lib/server/platform/env";
import { createSecretBox, loadSecrets } from "@/lib/server/platform/secrets/secrets";
import { readSections } from "@/lib/server/settings/settings";
import { findSecretProblem } from "@/lib/server/wiring/secrets-canary";
import { describeHalfRestore } from "../backup/restore-mark";
import { compareMigrations, DatabaseNewer, type DatabaseRefused } from "../database/apply-migrations";
import { explainStart } from "../explain-failure";
import { typed } from "../installation";
import { findDamage } from "../server/check-database";
import { broken, type Finding, ok, skipped, warning } from "./finding";

const CLOCK_WARNING_MS = 2_000;
/** `server_version_num` is 180004 for 18.4. */
const VERSIONS_OF_A_MAJOR = 10_000;
const DAY_MS = 86_400_000;
const ABSENT = "There is no database yet; the first start creates it.";
const KEYS = ["openai", "anthropic", "google", "openaiCompatible", "ollama"] as const;

export function isAbsent({ databaseUrl }: Environment): boolean {
  return databaseUrl.startsWith("file:") && !existsSync(databaseUrl.slice("file:".length));
}

export async function checkDatabase(environment: Environment): Promise<Finding> {
  const half = describeHalfRestore(environment.dataDirectory);
  if (half !== null) return broken(`${half.charAt(0).toUpperCase()}${half.slice(1)}`, "");
  if (isAbsent(environment)) return skipped(ABSENT);
  const { databaseUrl } = environment;
  const found = databaseUrl.startsWith("file:") ? await checkSqlite(databaseUrl) : await checkPostgres(databaseUrl);
  return found.state === "ok" ? ((await findOtherSecret(environment)) ?? found) : found;
}

/** A database whose stored keys nothing can read any more; the secret is not made anew here. */
async function findOtherSecret(environment: Environment): Promise<Finding | null> {
  const file = path.join(environment.dataDirectory, "secret");
  // Without one nothing that is stored can be read, by whatever secret the next start would make.
  const hasSecret = environment.secrets.length > 0 || existsSync(file);
  const box = createSecretBox(hasSecret ? loadSecrets(environment) : [randomBytes(32).toString("base64")]);
  // A database without tables yet has no stored keys.
  const problem = await reading(environment.databaseUrl, (db) => findSecretProblem(db, box)).catch(() => null);
  return problem && broken(problem.message, `Put ${file} back from a backup, or the earlier RINGMASTER_SECRET.`);
}

async function checkPostgres(databaseUrl: string): Promise<Finding> {
  const { host, pathname } = new URL(databaseUrl);
  const [row] = await reading(databaseUrl, (db) =>
    db.raw<{ bytes: string | number }>("select pg_database_size(current_database()) as bytes"),
  );
  return ok(`Postgres, ${host}${pathname}, ${inMegabytes(Number(row?.bytes ?? 0))}`);
}

async function checkSqlite(databaseUrl: string): Promise<Finding> {
  const file = databaseUrl.slice("file:".length);
  const damage = await findDamage(file);
  if (damage !== null) return broken(`${file} is damaged: ${damage}`, typed("restore <folder of a backup>"));
  readOnce(file);
  return ok(`SQLite, ${file}, ${inMegabytes(statSync(file).size)}, whole`);
}

/** Throws what made the search for damage find nothing where the file can't be read: another program may hold it. */
function readOnce(file: string): void {
  const connection = new Connection(file, { readonly: true, fileMustExist: true, timeout: 5_000 });
  try {
    connection.pragma("schema_version");
  } finally {
    connection.close();
  }
}

/** Whether it lacks migrations, and whether it has some that this program does not know. */
export async function checkMigrations(environment: Environment): Promise<readonly [Finding, Finding]> {
  if (isAbsent(environment)) return [skipped(ABSENT), skipped(ABSENT)];
  const { missing, refusal } = await compareMigrations(environment.databaseUrl);
  if (refusal instanceof DatabaseNewer) {
    return [skipped("This program does not know them all."), broken(refusal.message, "")];
  }
  return [describePending(missing, refusal), ok("It is not newer than this program")];
}

function describePending(missing: readonly string[], refusal: DatabaseRefused | null): Finding {
  if (refusal !== null) return broken(refusal.message, "");
  if (missing.length === 0) return ok("None is missing");
  const many = `${missing.length} are missing, from ${missing[0]} on. The next start applies them.`;
  const found = missing.length === 1 ? `${missing[0]} is missing. The next start applies it.` : many;
  return warning(found, typed("migrate"));
}

/** Several processes on Postgres agree by the database's clock. */
export async function checkClock({ databaseUrl }: Environment): Promise<Finding> {
  if (databaseUrl.startsWith("file:")) return skipped("The database is on this machine.");
  const before = Date.now();
  const [row] = await reading(databaseUrl, (db) =>
    db.raw<{ nowMs: string | number }>(`select extract(epoch from clock_timestamp()) * 1000 as "nowMs"`),
  );
  const offByMs = Math.round(Number(row?.nowMs ?? before) - (before + Date.now()) / 2);
  if (Math.abs(offByMs) <= CLOCK_WARNING_MS) return ok(`${Math.abs(offByMs)} ms from the database's`);
  return warning(`This machine's clock is ${offByMs / -1_000} s ahead of the database's.`, "timedatectl set-ntp true");
}

export async function checkProviders(environment: Environment): Promise<Finding> {
  const fromVariables = KEYS.filter((name) => environment.providers[name] !== null);
  const stored = isAbsent(environment) ? [] : await reading(environment.databaseUrl, (db) => db.provider.findMany());
  const names = [...fromVariables, ...stored.map(({ id }) => id)];
  if (names.length > 0) return ok(names.join(", "));
  return warning("Only the demo model answers.", "Connect one at /admin/models, or start with OPENAI_API_KEY=….");
}

export async function checkMail(environment: Environment): Promise<Finding> {
  if (isAbsent(environment)) return skipped(ABSENT);
  const { settings } = await reading(environment.databaseUrl, readSections);
  if (settings.smtp === null) return skipped("No mail is sent: invitations are links to copy. Admin, Settings, Mail.");
  return ok(`Sent by ${settings.smtp.host}; Admin, Settings, Mail sends one to try.`);
}

export async function checkExtensions({ dataDirectory }: Environment): Promise<Finding> {
  const folder = path.join(dataDirectory, "extensions");
  if (!existsSync(folder)) return skipped("There are none.");
  const loaded = await createExtensionLoader(folder)();
  const failed = loaded.filter(({ error }) => error !== null);
  if (failed.length === 0) return loaded.length === 0 ? skipped("There are none.") : ok(`${loaded.length} load`);
  const why = failed.map(({ file, error }) => `${file}${error?.line ? `:${error.line}` : ""}: ${error?.message}`);
  return broken(why.join("; "), `Correct ${failed.map(({ file }) => path.join(folder, file)).join(", ")}.`);
}

export async function checkBackups(environment: Environment): Promise<Finding> {
  if (isAbsent(environment)) return skipped(ABSENT);
  const problem = await findDumpProblem(environment);
  if (problem !== null) return warning(`None can be made before an update. ${problem.reason}`, problem.remedy);
  const { backup } = (await reading(environment.databaseUrl, readSections)).settings;
  const fix = "Choose a folder at Admin, Settings, Backup.";
  if (backup.folder === null) return warning("None is made by itself.", fix);
  const names = await readdir(backup.folder).catch(() => []);
  const newest = Math.max(
    ...names.filter((name) => name.endsWith(".tar.gz")).map((name) => ageOf(backup.folder, name)),
  );
  if (!Number.isFinite(newest)) return warning(`There is none in ${backup.folder}.`, fix);
  const days = Math.floor((Date.now() - newest) / DAY_MS);
  const found = `${names.length} in ${backup.folder}, the newest ${days === 0 ? "of today" : `${days} days old`}`;
  const dueMs = backup.everyHours * 3_600_000 + DAY_MS;
  return Date.now() - newest > dueMs ? warning(found, "Look at Admin, Settings, Backup for what failed.") : ok(found);
}

async function findDumpProblem({ databaseUrl }: Environment): Promise<ClientProblem | null> {
  if (databaseUrl.startsWith("file:")) return null;
  const [row] = await reading(databaseUrl, (db) =>
    db.raw<{ version: string }>(`select current_setting('server_version_num') as "version"`),
  );
  return findClientProblem(Math.floor(Number(row?.version ?? 0) / VERSIONS_OF_A_MAJOR));
}

function ageOf(folder: string | null, name: string): number {
  return statSync(path.join(folder ?? "", name)).mtimeMs;
}

/** Opens the database for what `read` asks of it. */
export async function reading<Result>(
  databaseUrl: string,
  read: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(databaseUrl);
  try {
    return await read(database);
  } finally {
    await database.close();
  }
}

/** As a finding, in the words with which a start would fail. */
export function describeFailure(error: unknown): Finding {
  return broken(explainStart(error).replace(/^Ringmaster can't start[:.]\s*/, ""), "");
}

function inMegabytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1_000_000)).toLocaleString("en")} MB`;
}
