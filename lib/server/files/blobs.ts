import { createHash } from "node:crypto";
import type { Database } from "@/lib/server/platform/db/database";

/** Stores the bytes once under the SHA-256 of their content and returns it as hex. */
export async function storeBlob(database: Database, bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha256").update(bytes).digest("hex");
  const sql = `insert into "blob" ("hash", "content", "sizeBytes", "createdAt") values ($1, $2, $3, $4)
    on conflict ("hash") do nothing`;
  await database.raw(sql, [hash, bytes, bytes.byteLength, new Date()]);
  return hash;
}

/** The content of a blob; null when there is none. */
export async function readBlob(database: Database, hash: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const row = await database.blob.findUnique({ where: { hash }, select: { content: true } });
  return row ? new Uint8Array(row.content) : null;
}
