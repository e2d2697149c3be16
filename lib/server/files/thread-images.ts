import type { ImageReader } from "@/lib/models/wire/shown-images";
import type { Database } from "@/lib/server/platform/db/database";
import { readBlob, storeBlob } from "./blobs";

export interface NewImage {
  readonly threadId: string;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** Stores a picture for as long as the thread exists, and returns its hash. */
export async function keepImage(database: Database, { threadId, bytes, mediaType }: NewImage): Promise<string> {
  const blobHash = await storeBlob(database, bytes);
  const key = { threadId, blobHash };
  await database.threadImage.upsert({
    where: { threadId_blobHash: key },
    create: { ...key, mediaType },
    update: {},
  });
  return blobHash;
}

/** Reads each picture once: every model call of a run sends those of the conversation again. */
export function imageReader(database: Database): ImageReader {
  const known = new Map<string, Promise<Uint8Array | null>>();
  return (hash) => {
    const bytes = known.get(hash) ?? readBlob(database, hash);
    known.set(hash, bytes);
    bytes.catch(() => known.delete(hash));
    return bytes;
  };
}
