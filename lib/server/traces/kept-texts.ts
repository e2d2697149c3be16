import { createHash } from "node:crypto";
import { storeBlob } from "@/lib/server/files/blobs";
import type { Database } from "@/lib/server/platform/db/database";
import { BLOB_STEP_MS } from "@/lib/server/platform/db/queries/workspaces/files";

/** Maximum characters of texts whose hash is cached: a prompt is nearly the same from call to call. */
const MAX_KNOWN_CHARS = 4_000_000;

interface KnownText {
  readonly hash: string;
  /** `performance.now()`; a text in use is stored again periodically, because texts not stored lately are swept. */
  readonly storedAt: number;
}

/**
 * Texts that spans reference by hash instead of containing them: each is stored once for the whole installation (D-25).
 */
export class KeptTexts {
  private readonly known = new Map<string, KnownText>();
  private readonly waiting = new Map<string, string>();
  private knownChars = 0;

  /** Returns the hash of the text; the next `store` stores the text. */
  keep(text: string): string {
    const known = this.known.get(text);
    const now = performance.now();
    if (known !== undefined && now - known.storedAt < BLOB_STEP_MS) return known.hash;
    const hash = known?.hash ?? createHash("sha256").update(text).digest("hex");
    this.known.set(text, { hash, storedAt: now });
    if (known === undefined) this.knownChars += text.length;
    this.waiting.set(hash, text);
    this.forgetOldest();
    return hash;
  }

  private forgetOldest(): void {
    for (const text of this.known.keys()) {
      if (this.knownChars <= MAX_KNOWN_CHARS) return;
      this.known.delete(text);
      this.knownChars -= text.length;
    }
  }

  /** Stores the waiting texts; those that could not be stored keep waiting. */
  async store(database: Database): Promise<void> {
    for (const [hash, text] of this.waiting) {
      await storeBlob(database, new TextEncoder().encode(text));
      this.waiting.delete(hash);
    }
  }
}

const MAX_PER_QUERY = 500;

/** The texts that spans reference, by hash; texts that are not kept are omitted. */
export async function readKeptTexts(database: Database, hashes: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const wanted = [...new Set(hashes)];
  for (let start = 0; start < wanted.length; start += MAX_PER_QUERY) {
    const where = { hash: { in: wanted.slice(start, start + MAX_PER_QUERY) } };
    const rows = await database.blob.findMany({ where, select: { hash: true, content: true } });
    for (const { hash, content } of rows) texts.set(hash, new TextDecoder().decode(content));
  }
  return texts;
}
