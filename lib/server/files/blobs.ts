import { createHash } from "node:crypto";
import type { Database } from "@/lib/server/platform/db/database";
import { insertBlob } from "@/lib/server/platform/db/queries/workspaces/files";

/** Stores the bytes once under the SHA-256 of their content and returns it as hex. */
export async function storeBlob(database: Database, bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha256").update(bytes).digest("hex");
  await insertBlob(database, hash, bytes);
  return hash;
}

/** The content of a blob; null if there is none. */
export async function readBlob(database: Database, hash: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const row = await database.blob.findUnique({ where: { hash }, select: { content: true } });
  return row ? new Uint8Array(row.content) : null;
}
