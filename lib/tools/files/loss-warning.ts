import { decodeOrNull } from "@/lib/agent/workspace/file-text";
import type { WrittenFile } from "./workspace-files";

/** Rewriting a document shorter than this many characters gives no warning. */
const MIN_DOCUMENT_CHARS = 200;
/** The share of its characters whose loss counts as most of the document. */
const MAX_LOST_SHARE = 0.5;
const MAX_SHOWN_CHARS = 4_000;

/** Warns the model if most of the document was lost, with enough text to restore what it lost by mistake. */
export function lossWarning(file: Pick<WrittenFile, "before" | "after">): string {
  const before = (file.before && decodeOrNull(file.before)) ?? "";
  const after = decodeOrNull(file.after) ?? "";
  if (before.length < MIN_DOCUMENT_CHARS) return "";
  const kept = new Set(after.split("\n").map((line) => line.trim()));
  const lost = before.split("\n").filter((line) => line.trim() !== "" && !kept.has(line.trim()));
  const lostChars = lost.reduce((sum, line) => sum + line.length, 0);
  if (lostChars <= before.length * MAX_LOST_SHARE) return "";
  const share = Math.min(100, Math.round((lostChars / before.length) * 100));
  const shown = lost.join("\n");
  const cut = shown.length > MAX_SHOWN_CHARS ? `${shown.slice(0, MAX_SHOWN_CHARS).toWellFormed()}\n…` : shown;
  return `Warning: ${share}% of the former document is gone. If you did not mean that, write it again with these lines:\n${cut}`;
}
