// Whether a start has anything to do before the server: what does it loads much, and the process then replaces itself.
import Connection from "better-sqlite3";
import type { Environment } from "@/lib/server/platform/env";
import { CANARY, explainCanary } from "@/lib/server/platform/secrets/canary";
import type { SecretBox } from "@/lib/server/platform/secrets/secrets";
import { VERSION } from "@/lib/server/platform/version";
import { isMigrated } from "../database/apply-migrations";
import { PROGRAM_VERSION } from "../update/program-version-key";

const TIMEOUT_MS = 5_000;

/**
 * Whether the database needs nothing of `prepare`: it has this version's migrations and name, and what it stores
 * encrypted is readable with the newest secret. False also where that can't be found out: `prepare` says why. On
 * Postgres always false, because the job queue has migrations of its own.
 */
export function isPrepared({ databaseUrl }: Pick<Environment, "databaseUrl">, secrets: SecretBox): boolean {
  if (!databaseUrl.startsWith("file:")) return false;
  try {
    if (!isMigrated(databaseUrl)) return false;
    const settings = readSettings(databaseUrl.slice("file:".length));
    const canary = settings.get(CANARY);
    if (settings.get(PROGRAM_VERSION) !== VERSION || canary === undefined) return false;
    return explainCanary(canary, secrets) === null && !secrets.isStale(canary);
  } catch {
    return false;
  }
}

function readSettings(file: string): ReadonlyMap<unknown, string> {
  const connection = new Connection(file, { fileMustExist: true, timeout: TIMEOUT_MS });
  try {
    const select = connection.prepare<[string, string], [unknown, unknown]>(
      'select "key", "value" from "setting" where "key" in (?, ?)',
    );
    return new Map(
      select
        .raw()
        .all(CANARY, PROGRAM_VERSION)
        .map(([key, value]) => [key, String(value)]),
    );
  } finally {
    connection.close();
  }
}
