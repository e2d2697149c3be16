import "server-only";
import { LONG_TERM_PATH, memoryKind } from "@/lib/agent/workspace/memory-kind";
import { PROMPT_FILE_TEMPLATES } from "@/lib/prompt/file-templates";
import { PROMPT_FILE_NAMES } from "@/lib/schema/agents/prompt";
import { AppError } from "@/lib/schema/app-error";
import type {
  MemoryDays,
  MemoryDaysQuery,
  MemoryDocument,
  MemoryDocumentList,
  MemoryListQuery,
  MemorySearchQuery,
  MemorySearchResults,
} from "@/lib/schema/files/memory";
import { fold } from "@/lib/schema/fold";
import type { Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import {
  type LastDocumentVersion,
  selectBlobs,
  selectDocuments,
} from "@/lib/server/platform/db/queries/workspaces/memory";
import { type Services, serviceState } from "@/lib/server/platform/services";
import { userNames } from "@/lib/server/users/user-names";
import { auditSearch } from "./audit-memory";
import { authorOf } from "./memory-author";
import { memoryId } from "./memory-id";
import { listMemoryPlaces, type MemoryPlace } from "./memory-places";

/** The documents the viewer may see, a page at a time, by workspace and path. */
export async function listMemory(
  services: Services,
  viewer: Viewer,
  query: MemoryListQuery,
): Promise<MemoryDocumentList> {
  const { limit, cursor, kind, ...filter } = query;
  const places = await listMemoryPlaces(services.database, viewer, filter);
  const after = cursor === undefined ? {} : { after: parseCursor(cursor) };
  const rows = await selectDocuments(services.database, { ...namesIn(places), limit: limit + 1, ...after });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const documents = await toDocuments(services, page, places);
  return {
    documents: documents.filter((document) => kind === undefined || document.kind === kind),
    nextCursor: last ? writeCursor(last) : null,
  };
}

/** The days of a month that have notes. */
export async function listMemoryDays(
  services: Services,
  viewer: Viewer,
  { month, ...filter }: MemoryDaysQuery,
): Promise<MemoryDays> {
  const places = await listMemoryPlaces(services.database, viewer, filter);
  const { workspaceIds } = namesIn(places);
  const page = { workspaceIds, paths: [], month: month.replace("-", ""), limit: MAX_SCANNED };
  const documents = await toDocuments(services, await selectDocuments(services.database, page), places);
  const days = new Map<string, MemoryDocument[]>();
  for (const document of documents) {
    const date = dayOf(document.path);
    if (date?.startsWith(month)) days.set(date, [...(days.get(date) ?? []), document]);
  }
  const sorted = [...days].sort(([left], [right]) => (left < right ? -1 : 1));
  return { month, days: sorted.map(([date, found]) => ({ date, documents: found })) };
}

/** The texts that a new user of an `open` agent receives as prompt files. */
export function listTemplates(): { path: string; content: string }[] {
  return PROMPT_FILE_TEMPLATES.map(({ name, content }) => ({ path: name, content }));
}

const MAX_SCANNED = 5_000;
const MAX_RESULTS = 100;
const MAX_LINES_PER_DOCUMENT = 3;
const MAX_LINE_CHARS = 400;

/** The lines containing all words of `q`, ignoring case and accents; newest documents first. */
export async function searchMemory(
  services: Services,
  viewer: Viewer,
  { q, ...filter }: MemorySearchQuery,
): Promise<MemorySearchResults> {
  const places = await listMemoryPlaces(services.database, viewer, filter);
  const rows = await selectDocuments(services.database, { ...namesIn(places), limit: MAX_SCANNED });
  const documents = await toDocuments(services, rows, places);
  const newest = documents.toSorted((left, right) => (left.updatedAt < right.updatedAt ? 1 : -1));
  const hashes = new Map(rows.map((row) => [memoryId(row), row.blobHash]));
  const words = fold(q).split(/\s+/);
  const results: MemorySearchResults["results"] = [];
  for (let at = 0; at < newest.length && results.length < MAX_RESULTS; at += SEARCH_STEP) {
    const some = newest.slice(at, at + SEARCH_STEP);
    const texts = await readTexts(
      services.database,
      some.map(({ id }) => hashes.get(id) ?? ""),
    );
    for (const document of some) {
      const found = findLines(texts.get(hashes.get(document.id) ?? "") ?? "", words);
      results.push(...found.map((line) => ({ ...document, ...line })));
    }
  }
  const shown = results.slice(0, MAX_RESULTS);
  await auditSearch(services, new Set(shown.flatMap(({ userId }) => userId ?? [])), viewer);
  return { results: shown };
}

/** The number of documents whose texts are in memory at once. */
const SEARCH_STEP = 100;

function findLines(text: string, words: readonly string[]): { line: number; text: string }[] {
  const found: { line: number; text: string }[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    const folded = fold(line);
    if (!words.every((word) => folded.includes(word))) continue;
    found.push({ line: at + 1, text: line.trim().slice(0, MAX_LINE_CHARS).toWellFormed() });
    if (found.length === MAX_LINES_PER_DOCUMENT) break;
  }
  return found;
}

/** The workspaces, and the paths in them that could be documents. */
function namesIn(places: readonly MemoryPlace[]) {
  const paths = new Set<string>([LONG_TERM_PATH, ...PROMPT_FILE_NAMES]);
  for (const { memoryPaths } of places) for (const path of memoryPaths) paths.add(path);
  return { workspaceIds: places.map(({ workspaceId }) => workspaceId), paths: [...paths] };
}

/** The rows as shown by the API. Files that are not a memory of their agent are omitted. */
export async function toDocuments(
  services: Services,
  rows: readonly LastDocumentVersion[],
  places: readonly MemoryPlace[],
): Promise<MemoryDocument[]> {
  const byId = new Map(places.map((place) => [place.workspaceId, place]));
  const [names, sizes] = await Promise.all([
    userNames(
      services.database,
      rows.map(({ authorId }) => authorId),
    ),
    sizesOf(
      services,
      rows.map(({ blobHash }) => blobHash),
    ),
  ]);
  return rows.flatMap((row) => {
    const place = byId.get(row.workspaceId);
    const kind = place ? memoryKind(row.path, place.memoryPaths) : null;
    if (!place || kind === null) return [];
    const author = authorOf(row);
    return {
      id: memoryId(row),
      path: row.path,
      kind,
      agentId: place.agentId,
      agentName: place.config.name,
      userId: place.userId,
      userName: place.userName,
      threadId: place.threadId,
      sizeChars: sizes.get(row.blobHash) ?? 0,
      version: row.version,
      updatedAt: new Date(row.createdAt).toISOString(),
      updatedBy: { author, name: names.get(row.authorId ?? "") ?? null, runId: row.runId },
    };
  });
}

const knownSizes = serviceState("memory-sizes", () => new Map<string, number>());
const MAX_SIZES = 10_000;

/** Sizes in characters by content hash; content never changes. */
async function sizesOf(services: Services, hashes: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const sizes = knownSizes(services);
  if (sizes.size > MAX_SIZES) sizes.clear();
  const missing = [...new Set(hashes)].filter((hash) => !sizes.has(hash));
  for (let at = 0; at < missing.length; at += SEARCH_STEP) {
    const texts = await readTexts(services.database, missing.slice(at, at + SEARCH_STEP));
    for (const [hash, text] of texts) sizes.set(hash, text.length);
  }
  return sizes;
}

/** The contents by hash; invalid UTF-8 is replaced by U+FFFD. */
async function readTexts(database: Database, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (hashes.length === 0) return new Map();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const rows = await selectBlobs(database, hashes);
  return new Map(rows.map(({ hash, content }) => [hash, decoder.decode(content)]));
}

/** The day of a daily note. */
function dayOf(path: string): string | null {
  const digits = /^memory\/\d{6}\/(\d{8})\.md$/.exec(path)?.[1];
  return digits === undefined ? null : `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

function writeCursor({ workspaceId, path }: LastDocumentVersion): string {
  return Buffer.from(JSON.stringify([workspaceId, path])).toString("base64url");
}

function parseCursor(cursor: string): { workspaceId: string; path: string } {
  try {
    const [workspaceId, path] = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (typeof workspaceId === "string" && typeof path === "string") return { workspaceId, path };
  } catch {
    // Rejected below.
  }
  throw new AppError("invalid_input", "cursor: is not one of this list. Begin without it.");
}
