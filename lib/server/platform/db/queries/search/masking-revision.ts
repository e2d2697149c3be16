import { createHash } from "node:crypto";

/** The key of the setting with the revision of the masking rules and what they are. */
export const MASKING_REVISION = "maskingRevision";

/** The revision is the beginning of the value, filled up with zeros, so that both databases read it alike. */
export const REVISION_DIGITS = 9;

export function revisionOf(value: string | undefined): number {
  return value === undefined ? 0 : Number(value.slice(0, REVISION_DIGITS));
}

/**
 * The value for these rules after `before`: a revision counted up, and negative if there are no rules. It is at least
 * the number of minutes since 1970, so that it is a new one also where the value of before was lost.
 */
export function nextRevision(before: string | undefined, rules: readonly unknown[]): string {
  const counted = Math.abs(revisionOf(before)) || 0;
  const count = String(Math.max(counted + 1, Math.floor(Date.now() / 60_000)));
  const digits =
    rules.length > 0 ? count.padStart(REVISION_DIGITS, "0") : `-${count.padStart(REVISION_DIGITS - 1, "0")}`;
  return `${digits} ${hashOf(rules)}`;
}

/** Whether the value is that of these rules. None is needed where there never was a rule. */
export function isRevisionOf(value: string | undefined, rules: readonly unknown[]): boolean {
  if (value === undefined) return rules.length === 0;
  return /^[-\d]\d{8} /u.test(value) && value.slice(REVISION_DIGITS + 1) === hashOf(rules);
}

function hashOf(rules: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(rules)).digest("hex").slice(0, 32);
}
