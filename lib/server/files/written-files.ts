import { decodeOrNull } from "@/lib/agent/workspace/file-text";
import type { Database } from "@/lib/server/platform/db/database";

const MAX_FILES = 1_000;
const MAX_TOTAL_BYTES = 8 * 1_048_576;

/**
 * The files written or edited by calls of the thread's runs: path → last written content (S0, D-16). Files that are not
 * text, and those beyond 8 MB, are omitted: use the download route for them. Files of a subagent with its own
 * workspace, and files that a run seeded for a new user, are omitted too.
 */
export async function writtenFiles(
  database: Database,
  thread: { readonly id: string; readonly agentId: string },
): Promise<Record<string, string>> {
  const versions = await database.fileVersion.findMany({
    where: {
      threadId: thread.id,
      toolCallId: { not: null },
      workspace: { OR: [{ agentId: thread.agentId }, { projectId: { not: null } }] },
    },
    orderBy: [{ createdAt: "desc" }, { version: "desc" }],
    take: MAX_FILES * 10,
    select: { path: true, blobHash: true, sizeBytes: true },
  });
  const latest = new Map<string, { blobHash: string; sizeBytes: number } | null>();
  for (const { path, blobHash, sizeBytes } of versions) {
    if (!latest.has(path) && latest.size < MAX_FILES)
      latest.set(path, blobHash === null ? null : { blobHash, sizeBytes });
  }
  return readTexts(database, latest);
}

async function readTexts(
  database: Database,
  files: ReadonlyMap<string, { blobHash: string; sizeBytes: number } | null>,
): Promise<Record<string, string>> {
  let left = MAX_TOTAL_BYTES;
  const wanted: [string, string][] = [];
  for (const [path, file] of files) {
    if (file === null || file.sizeBytes > left) continue;
    left -= file.sizeBytes;
    wanted.push([path, file.blobHash]);
  }
  const blobs = await database.blob.findMany({ where: { hash: { in: wanted.map(([, hash]) => hash) } } });
  const texts = new Map(blobs.map(({ hash, content }) => [hash, decodeOrNull(content)]));
  const entries = wanted.map(([path, hash]) => [path, texts.get(hash) ?? null] as const);
  return Object.fromEntries(entries.filter(([, text]) => text !== null).toSorted(byPath)) as Record<string, string>;
}

function byPath([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}
