import "server-only";
import { decodeOrNull } from "@/lib/agent/workspace/file-text";
import type { MemoryBlame } from "@/lib/schema/files/memory";
import type { Viewer } from "@/lib/schema/users/user";
import { lineHash } from "@/lib/server/files/line-hashes";
import type { Database } from "@/lib/server/platform/db/database";
import { selectBlobs } from "@/lib/server/platform/db/queries/workspaces/memory";
import { type Services, serviceState } from "@/lib/server/platform/services";
import { userNames } from "@/lib/server/users/user-names";
import { auditLook } from "./audit-memory";
import { type BlamedLine, blameNext } from "./blame-lines";
import { readCurrent } from "./current-document";
import { originOf } from "./memory-author";
import { memoryId, memoryLineId, noDocument } from "./memory-id";
import { findMemoryFile, type MemoryFile } from "./memory-places";

/** In a longer history, the versions before these count as one. */
const MAX_VERSIONS = 2_000;
/** The number of versions whose texts are in memory at once. */
const STEP = 50;
const MAX_CACHED = 200;

interface Blamed {
  readonly version: number;
  readonly lines: readonly BlamedLine[];
}

/** The last blame of each document, which the next one extends: a version's text never changes. */
const blames = serviceState("memory-blames", () => new Map<string, Blamed>());

/** Each line of the current text with the version that added it. Throws `not_found` for a deleted document. */
export async function blameMemory(services: Services, id: string, viewer: Viewer): Promise<MemoryBlame> {
  const file = await findMemoryFile(services, id, viewer);
  await auditLook(services, file, viewer);
  const { bytes, version } = await readCurrent(services, file, viewer.id);
  if (bytes === null) throw noDocument();
  const lines = await blamed(services, file, version);
  const origins = await originsOf(services.database, file, [...new Set(lines.map((line) => line.version))]);
  return lines.flatMap((line, at) => {
    const origin = origins.get(line.version);
    const id = memoryLineId({ ...file, version: line.version, hash: lineHash(withoutReturn(line.text)) });
    return origin ? [{ id, line: at + 1, text: line.text, ...origin }] : [];
  });
}

/** Of a line break in two characters. */
function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

async function blamed(services: Services, file: MemoryFile, version: number): Promise<readonly BlamedLine[]> {
  const cache = blames(services);
  const key = memoryId(file);
  const known = cache.get(key);
  const start = known && known.version <= version ? known : { version: Math.max(0, version - MAX_VERSIONS), lines: [] };
  let lines = start.lines;
  for (let from = start.version + 1; from <= version; from += STEP) {
    const texts = await readTexts(services.database, file, from, Math.min(version, from + STEP - 1));
    for (const { number, text } of texts) lines = blameNext(lines, text, number);
  }
  cache.delete(key);
  cache.set(key, { version, lines });
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value ?? "");
  return lines;
}

/** The texts of these versions in order; empty for deletions and for content that is not text. */
async function readTexts(database: Database, { workspaceId, path }: MemoryFile, from: number, to: number) {
  const rows = await database.fileVersion.findMany({
    where: { workspaceId, path, version: { gte: from, lte: to } },
    orderBy: { version: "asc" },
    select: { version: true, blobHash: true },
  });
  const blobs = await selectBlobs(
    database,
    rows.flatMap(({ blobHash }) => blobHash ?? []),
  );
  const texts = new Map(blobs.map(({ hash, content }) => [hash, decodeOrNull(content) ?? ""]));
  return rows.map(({ version, blobHash }) => ({ number: version, text: texts.get(blobHash ?? "") ?? "" }));
}

/** Not cached because a version found before its run recorded it gets its author later. */
async function originsOf(database: Database, { workspaceId, path }: MemoryFile, versions: readonly number[]) {
  const rows = await database.fileVersion.findMany({
    where: { workspaceId, path, version: { in: [...versions] } },
    select: { version: true, authorId: true, runId: true, toolCallId: true, spanId: true, createdAt: true },
  });
  const names = await userNames(
    database,
    rows.map(({ authorId }) => authorId),
  );
  return new Map(rows.map((row) => [row.version, originOf(row, names)]));
}
