// Brings the database up to this version without a way to lose what it holds: a verified backup first, then the
// migrations, each whole or not at all. Cut off anywhere, the next start goes on.
import pg from "pg";
import type { Installation } from "../backup/backup";
import { applyMigrations, compareMigrations } from "../database/apply-migrations";
import { describePlan } from "./describe-plan";
import { readProgramVersion, writeProgramVersion } from "./program-version";
import { backUpBeforeUpdate, finishUpdate, listUpdateBackups, type UpdateBackup } from "./update-backup";

interface UpdateOptions {
  /** Somebody made one, or does not want one. */
  readonly withoutBackup: boolean;
  /** For the person who waits. */
  readonly say: (sentence: string) => void;
}

/** Returns the names of the migrations that the database lacked. Throws DatabaseRefused, or what made the backup fail. */
export async function updateDatabase(installation: Installation, options: UpdateOptions): Promise<string[]> {
  if (installation.databaseUrl.startsWith("file:")) return update(installation, options);
  return inTurn(installation.databaseUrl, () => update(installation, options));
}

async function update(installation: Installation, { withoutBackup, say }: UpdateOptions): Promise<string[]> {
  const { databaseUrl, dataDirectory } = installation;
  const { missing, applied, refusal } = await compareMigrations(databaseUrl);
  if (refusal !== null) throw refusal;
  const isUpdate = missing.length > 0 && applied.length > 0;
  if (isUpdate) say(await describePlan(databaseUrl, missing));
  const backup = isUpdate && !withoutBackup ? await ensureBackup(installation, missing) : null;
  if (backup !== null) say(`A backup of before is in ${backup.folder}`);
  const done = await applyMigrations(databaseUrl);
  if (backup !== null) finishUpdate(dataDirectory, backup);
  await writeProgramVersion(databaseUrl);
  return done;
}

/** That of an update that was cut off is of before it; another would be of its middle. */
async function ensureBackup(installation: Installation, missing: readonly string[]): Promise<UpdateBackup> {
  const [last] = listUpdateBackups(installation.dataDirectory);
  const isOfThisUpdate =
    last !== undefined &&
    last.manifest.finishedAt === null &&
    missing.every((name) => last.manifest.migrations.includes(name)) &&
    missing.length < last.manifest.migrations.length;
  if (isOfThisUpdate) return last;
  return backUpBeforeUpdate(installation, missing, await readProgramVersion(installation.databaseUrl));
}

/** Several processes may start at once on Postgres: one backs up and migrates, the others find nothing left to do. */
async function inTurn<Result>(connectionString: string, work: () => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(hashtextextended('ringmaster update', 0))");
    return await work();
  } finally {
    await client.end();
  }
}
