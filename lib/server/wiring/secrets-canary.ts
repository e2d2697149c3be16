import type { Database } from "@/lib/server/platform/db/database";
import { selectSetting, upsertSetting } from "@/lib/server/platform/db/queries/settings";
import { type SecretBox, SecretUnreadable } from "@/lib/server/platform/secrets/secrets";
import { storedSecrets } from "./stored-secrets";

const KEY = "secret_canary";
const TEXT = "ringmaster";

/**
 * Called once at startup: a text encrypted by the first start must still be readable; otherwise the secret was lost or
 * changed, and with it every stored key. If there is a newer secret, everything is re-encrypted, after which the older
 * one may be removed. Throws `SecretUnreadable`.
 */
export async function checkSecretCanary(database: Database, box: SecretBox): Promise<void> {
  const stored = await selectSetting(database, KEY);
  if (stored !== undefined) assertReadable(stored, box);
  if (stored !== undefined && !box.isStale(stored)) return;
  // Before the canary itself: if this start is interrupted here, the canary stays stale and the next start begins
  // again.
  for await (const { sealed, purpose, replace } of storedSecrets(database)) {
    const plain = readOrNull(box, sealed, purpose);
    if (plain !== null) await replace(box.encrypt(plain, purpose));
  }
  await upsertSetting(database, KEY, box.encrypt(TEXT, KEY));
}

/**
 * Reads every stored secret once, so that none of them gets through to a run, a log or a trace, whether this process
 * uses it or not.
 */
export async function readStoredSecrets(database: Database, box: SecretBox): Promise<void> {
  for await (const { sealed, purpose } of storedSecrets(database)) readOrNull(box, sealed, purpose);
}

/** What no listed secret can decrypt is left as it is: whoever needs it reports it. */
function readOrNull(box: SecretBox, sealed: string, purpose: string): string | null {
  try {
    return box.decrypt(sealed, purpose);
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
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
