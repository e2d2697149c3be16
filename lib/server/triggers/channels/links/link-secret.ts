import { createHash, randomInt } from "node:crypto";
import type { Database } from "@/lib/server/platform/db/database";
import type { LinkRow, OpenChannel } from "@/lib/server/triggers/channels/connection";

/** Addresses are compared in lower case. */
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const LENGTH = 24;

/** The link's own secret address, of which only the SHA-256 is stored; null if the service has no such addresses. */
export async function createSecretAddress(
  database: Database,
  { channel, connection }: OpenChannel,
  { id }: LinkRow,
): Promise<string | null> {
  if (!channel.secretAddress) return null;
  const secret = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  const data = { secretHash: hashOf(connection.channelId, secret) };
  await database.channelLink.update({ where: { id }, data, select: { id: true } });
  return channel.secretAddress(connection, secret);
}

export function findLinkBySecret(database: Database, channelId: string, secret: string): Promise<LinkRow | null> {
  return database.channelLink.findFirst({ where: { channelId, secretHash: hashOf(channelId, secret) } });
}

function hashOf(channelId: string, secret: string): string {
  return createHash("sha256").update(`link\n${channelId}\n${secret}`).digest("hex");
}
