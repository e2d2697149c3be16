import "server-only";
import { createHash } from "node:crypto";
import type { Database } from "../db";

/** Stores content once by its hash (hex SHA-256), which it returns. */
export async function saveBlob(database: Database, bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha256").update(bytes).digest("hex");
  await database.raw(
    `insert into "blob" ("hash", "content", "sizeBytes", "createdAt") values ($1, $2, $3, $4) on conflict ("hash") do nothing`,
    [hash, bytes, bytes.byteLength, new Date()],
  );
  return hash;
}

/** The content of a blob; null when it is gone. */
export async function readBlob(database: Database, hash: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const row = await database.blob.findUnique({ where: { hash }, select: { content: true } });
  return row ? new Uint8Array(row.content) : null;
}
