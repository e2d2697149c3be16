import "server-only";
import { needsPromptHook, wantedFiles } from "@/lib/hooks/prompt";
import { findCut } from "@/lib/prompt/cut-files";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { PROMPT_FILE_NAMES, PromptFileName } from "@/lib/schema/agents/prompt";
import type { MemoryCut, MemoryDetail } from "@/lib/schema/files/memory";
import { exactTokens } from "@/lib/schema/messages/token-estimate";
import type { Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import {
  type LastDocumentVersion,
  selectBlobs,
  selectDocuments,
} from "@/lib/server/platform/db/queries/workspaces/memory";
import type { Services } from "@/lib/server/platform/services";
import { MAX_DOCUMENT_BYTES, recentNotePaths } from "@/lib/tools/memory/memory-documents";
import { auditLook } from "./audit-memory";
import { readCurrent, textOf } from "./current-document";
import { toDocuments } from "./list-memory";
import { noDocument } from "./memory-id";
import { findMemoryFile, type MemoryFile } from "./memory-places";

/** A document with its text. Throws `not_found` for a deleted one. */
export async function getMemory(services: Services, id: string, viewer: Viewer): Promise<MemoryDetail> {
  const file = await findMemoryFile(services, id, viewer);
  await auditLook(services, file, viewer);
  return describeMemory(services, file, viewer.id);
}

/** The document as shown in replies. */
export async function describeMemory(services: Services, file: MemoryFile, viewerId: string): Promise<MemoryDetail> {
  const { bytes } = await readCurrent(services, file, viewerId);
  if (bytes === null) throw noDocument();
  const content = textOf(bytes);
  const [document] = await toDocuments(services, await lastRow(services.database, file), [file.place]);
  if (!document) throw noDocument();
  const inPrompt = whenInPrompt(file, Date.now());
  return {
    ...document,
    content,
    tokens: Math.ceil(exactTokens(content, file.place.config.chars_per_token)),
    inPrompt,
    cut: inPrompt === "no" ? null : await cutOf(services.database, file, content, bytes),
  };
}

async function lastRow(database: Database, { workspaceId, path }: MemoryFile): Promise<LastDocumentVersion[]> {
  const row = await database.fileVersion.findFirst({
    where: { workspaceId, path },
    orderBy: { version: "desc" },
    select: { version: true, blobHash: true, authorId: true, runId: true, toolCallId: true, createdAt: true },
  });
  if (!row?.blobHash) return [];
  return [{ ...row, workspaceId, path, blobHash: row.blobHash, createdAt: row.createdAt.toISOString() }];
}

function whenInPrompt({ kind, path, place }: MemoryFile, nowMs: number): MemoryDetail["inPrompt"] {
  const { config, memoryPaths } = place;
  if (kind === "bootstrap") return whenBootstrap(config, path);
  if (memoryPaths.length === 0 || !isHookOn(config, "memory") || config.prompt.sections.memory === false) return "no";
  if (kind !== "daily") return "always";
  return recentNotePaths(nowMs, config.memory.daily_notes_days).includes(path) ? "always" : "no";
}

function whenBootstrap(config: AgentConfig, path: string): MemoryDetail["inPrompt"] {
  const name = PromptFileName.safeParse(path).data;
  const isOwn = config.type === "open" || name === "USER.md";
  if (!name || !isOwn || !needsPromptHook(config) || !wantedFiles(config).includes(name)) return "no";
  return name === "BOOTSTRAP.md" ? "first_chat" : "always";
}

function isHookOn({ hooks }: AgentConfig, name: string): boolean {
  if (hooks === null) return true;
  return hooks.some((hook) => (typeof hook === "string" ? hook === name : hook.name === name && hook.enabled));
}

async function cutOf(
  database: Database,
  file: MemoryFile,
  content: string,
  bytes: Uint8Array,
): Promise<MemoryCut | null> {
  if (file.kind === "bootstrap") return cutOfBootstrap(database, file, content);
  if (bytes.byteLength <= MAX_DOCUMENT_BYTES) return null;
  const shown = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, MAX_DOCUMENT_BYTES));
  const reason = `A run reads the first ${MAX_DOCUMENT_BYTES.toLocaleString("en-US")} bytes of a document.`;
  return { from: shown.replace(/\uFFFD$/, "").length, to: content.length, reason };
}

/** Prompt files share the prompt's space, earlier ones first. */
async function cutOfBootstrap(database: Database, file: MemoryFile, content: string): Promise<MemoryCut | null> {
  const name = PromptFileName.parse(file.path);
  const { config } = file.place;
  const others = wantedFiles(config).filter((other) => other !== name && other !== "BOOTSTRAP.md");
  const rows = await selectDocuments(database, {
    workspaceIds: [file.workspaceId],
    paths: others,
    limit: MAX_ROWS,
  });
  const wanted = rows.filter(({ path }) => PROMPT_FILE_NAMES.some((known) => known === path));
  const blobs = await selectBlobs(
    database,
    wanted.map(({ blobHash }) => blobHash),
  );
  const texts = new Map(blobs.map(({ hash, content: bytes }) => [hash, new TextDecoder().decode(bytes)]));
  const files = new Map(wanted.map(({ path, blobHash }) => [PromptFileName.parse(path), texts.get(blobHash) ?? ""]));
  const cut = findCut(name, files.set(name, content), config.prompt.files);
  return cut && { ...cut, reason: "prompt.files limits how much of a prompt file a run reads." };
}

/** Leaves room for the prompt files and the daily notes, which the query returns too. */
const MAX_ROWS = 5_000;
