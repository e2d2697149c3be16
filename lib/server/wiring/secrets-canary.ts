import type { Database } from "@/lib/server/platform/db/database";
import { type SecretBox, SecretUnreadable, toolSecretPurpose } from "@/lib/server/platform/secrets";

const KEY = "secret_canary";
const TEXT = "ringmaster";

/**
 * Called once at start: a text that was encrypted by the first start must still be readable, else the secret was lost
 * or changed and every stored key with it. When a newer secret has come all that is encrypted is encrypted again, after
 * which the older one may go. Throws `SecretUnreadable`.
 */
export async function checkSecretCanary(database: Database, box: SecretBox): Promise<void> {
  // Raw, so that the start script need not wait for Prisma's query compiler.
  const [stored] = await database.raw<{ value: string }>(`select "value" from "setting" where "key" = $1`, [KEY]);
  if (stored !== undefined) assertReadable(stored.value, box);
  if (stored !== undefined && !box.isStale(stored.value)) return;
  // Before the text itself: a start that is cut off here leaves it stale, and the next one begins again.
  await renewToolSecrets(database, box);
  const sql = `insert into "setting" ("key", "value", "updatedAt") values ($1, $2, $3)
    on conflict ("key") do update set "value" = excluded."value", "updatedAt" = excluded."updatedAt"`;
  await database.raw(sql, [KEY, box.encrypt(TEXT, KEY), new Date()], "full");
}

async function renewToolSecrets(database: Database, box: SecretBox): Promise<void> {
  const tools = await database.raw<{ name: string; sealed: string }>(
    `select "name", "secretEncrypted" as "sealed" from "http_tool" where "secretEncrypted" is not null`,
  );
  for (const { name, sealed } of tools) {
    const purpose = toolSecretPurpose(name);
    const renewed = box.encrypt(box.decrypt(sealed, purpose), purpose);
    const sql = `update "http_tool" set "secretEncrypted" = $1 where "name" = $2 and "secretEncrypted" = $3`;
    await database.raw(sql, [renewed, name, sealed], "full");
  }
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
