import { randomBytes } from "node:crypto";
import { AppError } from "@/lib/schema/app-error";
import type { HookSignature } from "@/lib/schema/webhooks/webhook";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { secretBox, webhookSecretPurpose } from "@/lib/server/platform/secrets/secrets";

/** How long the previous secret still signs, or is accepted. */
const OVERLAP_MS = 24 * 3_600_000;
const SECRET_BYTES = 32;

export function makeSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/** Throws `invalid_input` for a text that the signature can't use. */
export function checkSecret(secret: string, signature: HookSignature): void {
  if (signature !== "standard" || /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)) return;
  const message = "must be whsec_ and at least 24 bytes in base64, as Standard Webhooks write them";
  throw new AppError("invalid_input", `secret: ${message}.`, { details: [{ path: "secret", message }] });
}

export function secretColumns(webhookId: string, secret: string, number: number) {
  return {
    id: createId("whs"),
    webhookId,
    number,
    sealed: secretBox().encrypt(secret, webhookSecretPurpose(webhookId)),
  };
}

/** The currently valid secrets, newest first. */
export async function validSecrets(database: Database, webhookId: string, now: Date): Promise<string[]> {
  const rows = await database.webhookSecret.findMany({
    where: { webhookId, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    orderBy: { number: "desc" },
  });
  return rows.map(({ sealed }) => secretBox().decrypt(sealed, webhookSecretPurpose(webhookId)));
}

/** Queries that set a new secret, the previous one staying valid for a day. For one transaction. */
export async function rotationQueries(database: Database, webhookId: string, secret: string, now: Date) {
  const last = await database.webhookSecret.findFirst({ where: { webhookId }, orderBy: { number: "desc" } });
  const { webhookSecret } = database;
  return [
    webhookSecret.deleteMany({ where: { webhookId, expiresAt: { lte: now } } }),
    webhookSecret.updateMany({
      where: { webhookId, expiresAt: null },
      data: { expiresAt: new Date(now.getTime() + OVERLAP_MS) },
    }),
    webhookSecret.create({ data: secretColumns(webhookId, secret, (last?.number ?? 0) + 1), select: { id: true } }),
  ];
}

/** Queries that set a secret for another receiver: the previous ones sign nothing more. For one transaction. */
export async function replacementQueries(database: Database, webhookId: string, secret: string) {
  const last = await database.webhookSecret.findFirst({ where: { webhookId }, orderBy: { number: "desc" } });
  const { webhookSecret } = database;
  return [
    webhookSecret.deleteMany({ where: { webhookId } }),
    webhookSecret.create({ data: secretColumns(webhookId, secret, (last?.number ?? 0) + 1), select: { id: true } }),
  ];
}
