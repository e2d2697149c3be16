import type { Database } from "@/lib/server/platform/db/database";
import { selectSetting, upsertSetting } from "@/lib/server/platform/db/queries/settings";
import { CANARY, CANARY_TEXT, explainCanary } from "@/lib/server/platform/secrets/canary";
import { type SecretBox, SecretUnreadable } from "@/lib/server/platform/secrets/secrets";
import { storedSecrets } from "./stored-secrets";

/**
 * Called once at startup: a text encrypted by the first start must still be readable; otherwise the secret was lost or
 * changed, and with it every stored key. If there is a newer secret, everything is re-encrypted, after which the older
 * one may be removed. Throws `SecretUnreadable`.
 */
export async function checkSecretCanary(database: Database, box: SecretBox): Promise<void> {
  const problem = await findSecretProblem(database, box);
  if (problem !== null) throw problem;
  const stored = await selectSetting(database, CANARY);
  if (stored !== undefined && !box.isStale(stored)) return;
  // Before the canary itself: if this start is interrupted here, the canary stays stale and the next start begins
  // again.
  for await (const { sealed, purpose, replace } of storedSecrets(database)) {
    const plain = readOrNull(box, sealed, purpose);
    if (plain !== null) await replace(box.encrypt(plain, purpose));
  }
  await upsertSetting(database, CANARY, box.encrypt(CANARY_TEXT, CANARY));
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

/** Why a start with this box would be refused, found without changing anything; null if it would not be. */
export async function findSecretProblem(database: Database, box: SecretBox): Promise<SecretUnreadable | null> {
  const stored = await selectSetting(database, CANARY);
  return stored === undefined ? null : explainCanary(stored, box);
}
