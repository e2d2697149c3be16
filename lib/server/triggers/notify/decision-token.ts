import { createHash, randomBytes } from "node:crypto";
import type { Database } from "@/lib/server/platform/db/database";
import { SecretUnreadable, secretBox } from "@/lib/server/platform/secrets/secrets";

const HOUR_MS = 3_600_000;
/** How long the buttons of a push work. */
const VALID_MS = 24 * HOUR_MS;
const PURPOSE = "decision-token";

export interface TokenContent {
  readonly approvalId: string;
  readonly userId: string;
  readonly mayAllow: boolean;
}

/** A token short enough for a chat button: its signature is stored in the row, worthless without the token. */
export async function createShortToken(database: Database, facts: TokenContent, now: Date): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(now.getTime() + VALID_MS);
  const { keyId, hex } = secretBox().sign(signedText(token, { ...facts, expiresAt }), PURPOSE);
  const data = { hash: hashOf(token), ...facts, expiresAt, signature: `${keyId}.${hex}` };
  await database.decisionToken.create({ data, select: { hash: true } });
  return token;
}

type TokenRow = NonNullable<Awaited<ReturnType<Database["decisionToken"]["findUnique"]>>>;

/** A token for the buttons of one push. Only its hash is stored; its signature covers the row's content. */
export async function createDecisionToken(database: Database, facts: TokenContent, now: Date): Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  const expiresAt = new Date(now.getTime() + VALID_MS);
  const { keyId, hex } = secretBox().sign(signedText(secret, { ...facts, expiresAt }), PURPOSE);
  const token = `${secret}.${keyId}.${hex}`;
  await database.decisionToken.create({ data: { hash: hashOf(token), ...facts, expiresAt }, select: { hash: true } });
  return token;
}

/** The row of a token that this installation signed for exactly the row's content; null for any other. */
export async function findDecisionToken(database: Database, token: string): Promise<TokenRow | null> {
  const row = await database.decisionToken.findUnique({ where: { hash: hashOf(token) } });
  if (row === null) return null;
  const whole = row.signature === null ? token : `${token}.${row.signature}`;
  const [secret = "", keyId = "", hex = ""] = whole.split(".");
  try {
    return secretBox().isSigned(signedText(secret, row), PURPOSE, { keyId, hex }) ? row : null;
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}

/** True for one caller only. */
export async function spendDecisionToken(database: Database, hash: string, now: Date): Promise<boolean> {
  const used = await database.decisionToken.updateMany({ where: { hash, usedAt: null }, data: { usedAt: now } });
  return used.count === 1;
}

/** Reactivates the button after a decision that could not be stored. */
export async function giveBackDecisionToken(database: Database, hash: string): Promise<void> {
  await database.decisionToken.updateMany({ where: { hash }, data: { usedAt: null } });
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function signedText(secret: string, { approvalId, userId, mayAllow, expiresAt }: TokenContent & { expiresAt: Date }) {
  return [secret, approvalId, userId, mayAllow ? "allow" : "deny", expiresAt.toISOString()].join("\n");
}
