import type { Reader } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { keyLimits } from "@/lib/server/platform/key-limits";

/** Whoever makes or changes something that starts runs, and the API key used, if any. */
export interface Maker extends Reader {
  readonly keyId?: string | undefined;
}

interface Change {
  readonly isChanged: boolean;
  readonly isSwitchedOn: boolean;
}

/**
 * The key that a changed row belongs to, as columns. What a key changes keeps that key's limits from then on; what a
 * person switches on again, signed in, after its key has ended is theirs.
 */
export async function keyAfterChange(
  database: Database,
  { apiKeyId }: { readonly apiKeyId: string | null },
  { keyId }: Maker,
  { isChanged, isSwitchedOn }: Change,
): Promise<{ apiKeyId?: string | null }> {
  if (keyId !== undefined) return isChanged || (isSwitchedOn && apiKeyId !== null) ? { apiKeyId: keyId } : {};
  if (apiKeyId === null || !isSwitchedOn) return {};
  return (await keyLimits(database, apiKeyId)).state === "valid" ? {} : { apiKeyId: null };
}
