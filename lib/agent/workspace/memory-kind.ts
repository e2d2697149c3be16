import { PROMPT_FILE_NAMES } from "@/lib/schema/agents/prompt";
import type { MemoryKind } from "@/lib/schema/files/memory";

export const LONG_TERM_PATH = "MEMORY.md";

/** The folder of the daily notes. */
export const NOTES_FOLDER = "memory";

const DAILY_NOTE = /^memory\/\d{6}\/\d{8}\.md$/;
const BOOTSTRAP_FILES: ReadonlySet<string> = new Set(PROMPT_FILE_NAMES);

/**
 * The kind of the document at a normalised path; null for a file that is not memory. AGENTS.md is memory if it is on
 * `memory.paths`, otherwise a bootstrap file. `memoryPaths` are also normalised.
 */
export function memoryKind(path: string, memoryPaths: readonly string[]): MemoryKind | null {
  if (path === LONG_TERM_PATH || (memoryPaths.includes(path) && path.endsWith(`/${LONG_TERM_PATH}`)))
    return "long_term";
  if (DAILY_NOTE.test(path)) return "daily";
  if (memoryPaths.includes(path)) return "agent";
  return BOOTSTRAP_FILES.has(path) ? "bootstrap" : null;
}

/** `memory/YYYYMM/YYYYMMDD.md` of a day in UTC (S3). */
export function dailyNotePath(timeMs: number): string {
  const day = new Date(timeMs).toISOString().slice(0, 10).replaceAll("-", "");
  return `${NOTES_FOLDER}/${day.slice(0, 6)}/${day}.md`;
}
