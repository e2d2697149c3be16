import "server-only";
import { z } from "zod";
import { decodeOrNull } from "@/lib/agent/workspace/file-text";
import type { MemoryKind, MemoryLineUses } from "@/lib/schema/files/memory";
import type { Viewer } from "@/lib/schema/users/user";
import { auditLook } from "@/lib/server/file-access/memory/audit-memory";
import { readCurrent } from "@/lib/server/file-access/memory/current-document";
import { type LineKey, memoryId, noLine, parseMemoryLineId } from "@/lib/server/file-access/memory/memory-id";
import { findMemoryFile, type MemoryFile } from "@/lib/server/file-access/memory/memory-places";
import { readBlob } from "@/lib/server/files/blobs";
import { lineHash } from "@/lib/server/files/line-hashes";
import type { Database } from "@/lib/server/platform/db/database";
import { type SentPrompts, selectSentPrompts } from "@/lib/server/platform/db/queries/workspaces/prompts";
import type { Services } from "@/lib/server/platform/services";
import { readKeptTexts } from "@/lib/server/traces/kept-texts";
import { flushSpans } from "@/lib/server/traces/recorder";
import { readableBy } from "@/lib/server/views/readable-by";

const MOST_THREADS = 50;

/**
 * Which recorded prompts contained a line of memory: those of the runs that worked in its workspace since, whose
 * sections for memory have it as a whole line. Where another document has the same line, its prompts count too. Throws
 * `not_found` for a line that is not known, and for memory that the viewer may not see.
 */
export async function getLineUses(services: Services, id: string, viewer: Viewer): Promise<MemoryLineUses> {
  const { database } = services;
  const line = parseMemoryLineId(id);
  const file = await findMemoryFile(services, memoryId(line), viewer);
  await auditLook(services, file, viewer);
  const { text, isCurrent, writtenAt } = await findLine(services, { file, line, viewerId: viewer.id });
  // The prompts of a run that the viewer has just seen end may still wait to be stored.
  await flushSpans();
  const since = await countedSince(database, line.workspaceId, writtenAt);
  const sent = await selectSentPrompts(database, line.workspaceId, since);
  const having = await promptsWith(database, {
    text,
    kind: file.kind,
    hashes: sent.map(({ promptHash }) => promptHash),
  });
  return { ...(await describeThreads(database, viewer, { sent, having, isCurrent })), since: since.toISOString() };
}

interface FoundLine {
  readonly text: string;
  /** Whether the document still has it. */
  readonly isCurrent: boolean;
  readonly writtenAt: Date;
}

async function findLine(
  services: Services,
  { file, line, viewerId }: { readonly file: MemoryFile; readonly line: LineKey; readonly viewerId: string },
): Promise<FoundLine> {
  const { workspaceId, path, version, hash } = line;
  const row = await services.database.fileVersion.findUnique({
    where: { workspaceId_path_version: { workspaceId, path, version } },
    select: { blobHash: true, createdAt: true },
  });
  if (!row) throw noLine();
  const current = lineWith(hash, (await readCurrent(services, file, viewerId)).bytes);
  const text =
    current ?? lineWith(hash, row.blobHash === null ? null : await readBlob(services.database, row.blobHash));
  if (text === null) throw noLine();
  return { text, isCurrent: current !== null, writtenAt: row.createdAt };
}

function lineWith(hash: string, bytes: Uint8Array | null): string | null {
  const lines = (bytes === null ? null : decodeOrNull(bytes))?.split(/\r?\n/);
  return lines?.find((line) => lineHash(line) === hash) ?? null;
}

/** When the line was written or, if that is later, when the first prompt that is still recorded was sent. */
async function countedSince(db: Database, workspaceId: string, writtenAt: Date): Promise<Date> {
  const first = await db.runStep.findFirst({
    where: { workspaceId },
    orderBy: { startedAt: "asc" },
    select: { startedAt: true },
  });
  return first !== null && first.startedAt > writtenAt ? first.startedAt : writtenAt;
}

/** The sections of a prompt that documents of this kind come into. */
const MEMORY_SECTIONS = ["memory", "memory_recall"];
const SECTIONS: Readonly<Record<MemoryKind, readonly string[]>> = {
  agent: MEMORY_SECTIONS,
  long_term: MEMORY_SECTIONS,
  daily: MEMORY_SECTIONS,
  bootstrap: ["identity", "project_context", "bootstrap"],
};
const Sections = z.array(z.tuple([z.string(), z.string()]));

/** Those of the prompts, by their hashes, that have the line. */
async function promptsWith(
  db: Database,
  wanted: { readonly text: string; readonly kind: MemoryKind; readonly hashes: readonly string[] },
): Promise<ReadonlySet<string>> {
  const names = SECTIONS[wanted.kind];
  const prompts = [...(await readKeptTexts(db, wanted.hashes))].map(([hash, json]) => ({
    hash,
    sections: Sections.parse(JSON.parse(json)).flatMap(([name, text]) => (names.includes(name) ? [text] : [])),
  }));
  const texts = await readKeptTexts(
    db,
    prompts.flatMap(({ sections }) => sections),
  );
  const line = wanted.text.trim();
  const having = new Set([...texts].flatMap(([hash, text]) => (hasLine(text, line) ? [hash] : [])));
  return new Set(prompts.flatMap(({ hash, sections }) => (sections.some((text) => having.has(text)) ? [hash] : [])));
}

function hasLine(text: string, line: string): boolean {
  return text.includes(line) && text.split("\n").some((one) => one.trim() === line);
}

interface Found {
  readonly sent: readonly SentPrompts[];
  readonly having: ReadonlySet<string>;
  readonly isCurrent: boolean;
}

interface UsingThread {
  readonly id: string;
  readonly prompts: number;
  readonly lastAt: Date;
  /** Its last prompt had the line, which is still there. */
  readonly changes: boolean;
}

async function describeThreads(db: Database, viewer: Viewer, found: Found): Promise<Omit<MemoryLineUses, "since">> {
  const using = usingThreads(found);
  const rows = await db.thread.findMany({
    where: { id: { in: using.map(({ id }) => id) }, deletedAt: null },
    select: { id: true, title: true },
  });
  const open = new Set(rows.map(({ id }) => id));
  const readable = await db.thread.findMany({
    where: { id: { in: [...open] }, isTest: false, ephemeral: false, ...readableBy(viewer) },
    select: { id: true },
  });
  const named = new Set(readable.map(({ id }) => id));
  const titles = new Map(rows.map(({ id, title }) => [id, title]));
  const shown = using.filter(({ id }) => named.has(id)).slice(0, MOST_THREADS);
  return {
    prompts: using.reduce((sum, { prompts }) => sum + prompts, 0),
    threads: shown.map(({ id, lastAt, ...counts }) => ({
      ...{ id, ...counts, lastAt: lastAt.toISOString() },
      title: titles.get(id) ?? null,
    })),
    otherThreads: using.length - shown.length,
    changedThreads: using.filter(({ id, changes }) => changes && open.has(id)).length,
  };
}

/** Those used last come first. */
function usingThreads({ sent, having, isCurrent }: Found): UsingThread[] {
  return [...Map.groupBy(sent, ({ threadId }) => threadId)]
    .flatMap(([id, all]): UsingThread[] => {
      const using = all.filter(({ promptHash }) => having.has(promptHash));
      const lastAt = latestOf(using);
      if (lastAt === null) return [];
      const changes = isCurrent && lastAt.getTime() === latestOf(all)?.getTime();
      return [{ id, prompts: using.reduce((sum, { prompts }) => sum + prompts, 0), lastAt, changes }];
    })
    .sort((a, b) => b.lastAt.getTime() - a.lastAt.getTime());
}

function latestOf(prompts: readonly SentPrompts[]): Date | null {
  const [first, ...others] = prompts.map(({ lastAt }) => lastAt);
  return first === undefined ? null : others.reduce((latest, at) => (at > latest ? at : latest), first);
}
