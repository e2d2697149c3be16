import { decodeForReading } from "@/lib/agent/workspace/file-text";
import { dailyNotePath, LONG_TERM_PATH, NOTES_FOLDER } from "@/lib/agent/workspace/memory-kind";
import { type Workspace, WorkspaceError } from "@/lib/agent/workspace/workspace";
import type { WorkspaceFiles } from "@/lib/tools/files/workspace-files";
import type { MemoryDocument, MemoryIndex } from "./memory-index";

/**
 * A document with its bytes, for comparison with the last known version. If incomplete, text and bytes contain only its
 * beginning, and the text says so.
 */
export interface LoadedDocument extends MemoryDocument {
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
}

/** The data shared by the memory hook and its tools. `paths` are those of `memory.paths`, normalised. */
export interface MemoryFiles {
  readonly files: WorkspaceFiles;
  readonly paths: readonly string[];
  readonly index: MemoryIndex;
}

/** How much of one document a run reads. */
export const MAX_DOCUMENT_BYTES = 200_000;
/** How many notes a search covers, newest first. */
const MAX_NOTES = 1_000;
const DAY_MS = 86_400_000;

/** The document, or null if there is none readable as text. */
export async function readDocument(workspace: Workspace, path: string): Promise<LoadedDocument | null> {
  try {
    const { bytes, sizeBytes } = await workspace.read(path, MAX_DOCUMENT_BYTES);
    const isWhole = bytes.byteLength === sizeBytes;
    const text = decodeForReading(path, bytes);
    return {
      path,
      bytes,
      isWhole,
      text: isWhole ? text : `${text.replace(/\uFFFD$/, "")}\n\n${cutNotice(path, sizeBytes)}`,
    };
  } catch (error) {
    if (error instanceof WorkspaceError) return null;
    throw error;
  }
}

function cutNotice(path: string, sizeBytes: number): string {
  return `[${path} has ${sizeBytes} bytes, of which you see the first ${MAX_DOCUMENT_BYTES}. Shorten it.]`;
}

export async function readDocuments(workspace: Workspace, paths: Iterable<string>): Promise<LoadedDocument[]> {
  const found = await Promise.all([...new Set(paths)].map((path) => readDocument(workspace, path)));
  return found.filter((document) => document !== null);
}

/** Every memory document: those of `memory.paths`, MEMORY.md, and those below `memory/`. */
export async function readAllMemory(workspace: Workspace, paths: readonly string[]): Promise<LoadedDocument[]> {
  return readDocuments(workspace, [...paths, LONG_TERM_PATH, ...(await noteFiles(workspace))]);
}

/** The paths of the notes of today and the preceding days, newest first; they may not exist. */
export function recentNotePaths(timeMs: number, days: number): string[] {
  return Array.from({ length: days }, (_, ago) => dailyNotePath(timeMs - ago * DAY_MS));
}

/**
 * Creates the folder of the daily notes in the first run (S3), if the workspace has real folders; in a `state`
 * workspace folders exist only as part of file paths, so there is nothing to create. Anything already at its path is
 * kept.
 */
export async function makeNotesFolder({ makeFolder }: Workspace): Promise<void> {
  try {
    await makeFolder?.(NOTES_FOLDER);
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
  }
}

async function noteFiles(workspace: Workspace): Promise<string[]> {
  try {
    const { files } = await workspace.glob("**/*.md", NOTES_FOLDER, MAX_NOTES * 10);
    return files.slice(-MAX_NOTES);
  } catch (error) {
    if (error instanceof WorkspaceError) return [];
    throw error;
  }
}
