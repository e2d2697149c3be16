import type { Database } from "./db";
import { type SecretBox, SecretUnreadable } from "./secrets";

const KEY = "secret_canary";
const TEXT = "ringmaster";

/**
 * Called once at start: a text that was encrypted by the first start must still be readable, else the secret was lost
 * or changed and every stored key with it. Encrypts it anew when a newer secret has come. Throws `SecretUnreadable`.
 */
export async function checkSecretCanary(database: Database, box: SecretBox): Promise<void> {
  // Raw, so that the start script need not wait for Prisma's query compiler.
  const [stored] = await database.raw<{ value: string }>(`select "value" from "setting" where "key" = $1`, [KEY]);
  if (stored !== undefined) assertReadable(stored.value, box);
  if (stored !== undefined && !box.isStale(stored.value)) return;
  const sql = `insert into "setting" ("key", "value", "updatedAt") values ($1, $2, $3)
    on conflict ("key") do update set "value" = excluded."value", "updatedAt" = excluded."updatedAt"`;
  await database.raw(sql, [KEY, box.encrypt(TEXT, KEY), new Date()], "full");
}

function assertReadable(value: string, box: SecretBox): void {
  try {
    if (box.decrypt(value, KEY) === TEXT) return;
  } catch (error) {
    const message =
      "The database was encrypted with another secret. Restore the file `secret` of the data directory, or put the " +
      "earlier RINGMASTER_SECRET at the end of the list.";
    throw new SecretUnreadable(message, { cause: error });
  }
}
