import { type SecretBox, SecretUnreadable } from "./secrets";

/** The setting in which the first start stores an encrypted text, and that text. */
export const CANARY = "secret_canary";
export const CANARY_TEXT = "ringmaster";

const OTHER_SECRET =
  "The database was encrypted with another secret. Restore the file `secret` of the data directory, or put the earlier RINGMASTER_SECRET at the end of the list.";

/** Why a start with this box would be refused if the database has stored this; null if it would not be. */
export function explainCanary(stored: string, box: SecretBox): SecretUnreadable | null {
  try {
    if (box.decrypt(stored, CANARY) === CANARY_TEXT) return null;
    return new SecretUnreadable(OTHER_SECRET);
  } catch (error) {
    return new SecretUnreadable(OTHER_SECRET, { cause: error });
  }
}
