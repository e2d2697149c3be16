import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatch, structuredPatch } from "diff";
import { decodeOrNull } from "@/lib/agent/workspace/file-text";
import type { ToolDisplay } from "@/lib/schema/tools/tool-display";
import type { WrittenFile } from "./workspace-files";

type FileChangeDisplay = Extract<ToolDisplay, { kind: "file-change" }>;
type Comparison = Pick<FileChangeDisplay, "addedLines" | "removedLines" | "patch">;

const MAX_COMPARED_BYTES = 300_000;
const MAX_PATCH_CHARS = 100_000;
/** A diff of two long, unrelated texts takes quadratic time; beyond this the card shows no diff. */
const MAX_EDIT_LENGTH = 2_000;

const NOT_COMPARED: Comparison = { addedLines: 0, removedLines: 0, patch: null };

/** The display of a write or edit on its card. */
export function fileChangeDisplay(file: WrittenFile): FileChangeDisplay {
  return {
    kind: "file-change",
    path: file.path,
    operation: file.before === null ? "created" : "changed",
    sizeBytes: file.after.length,
    ...compare(file),
  };
}

function compare({ path, before, after }: WrittenFile): Comparison {
  if ((before?.length ?? 0) > MAX_COMPARED_BYTES || after.length > MAX_COMPARED_BYTES) return NOT_COMPARED;
  const newText = decodeOrNull(after);
  const oldText = before === null ? "" : decodeOrNull(before);
  if (newText === null || oldText === null) return NOT_COMPARED;
  if (newText === oldText) return { addedLines: 0, removedLines: 0, patch: "" };
  const patch = oldText === "" ? additionPatch(path, newText) : changePatch(path, oldText, newText);
  if (!patch) return NOT_COMPARED;
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const text = formatPatch(patch, FILE_HEADERS_ONLY);
  return {
    addedLines: lines.filter((line) => line.startsWith("+")).length,
    removedLines: lines.filter((line) => line.startsWith("-")).length,
    patch: text.length > MAX_PATCH_CHARS ? null : text,
  };
}

function changePatch(path: string, oldText: string, newText: string): StructuredPatch | undefined {
  const options = { context: 3, maxEditLength: MAX_EDIT_LENGTH };
  return structuredPatch(`a/${path}`, `b/${path}`, oldText, newText, undefined, undefined, options);
}

/** A new file needs no comparison, however long it is. */
function additionPatch(path: string, text: string): StructuredPatch {
  const lines = text.split("\n");
  const endsWithNewline = lines.at(-1) === "";
  if (endsWithNewline) lines.pop();
  const added = lines.map((line) => `+${line}`);
  const hunkLines = endsWithNewline ? added : [...added, "\\ No newline at end of file"];
  const hunk = { oldStart: 0, oldLines: 0, newStart: 1, newLines: lines.length, lines: hunkLines };
  return {
    oldFileName: "/dev/null",
    newFileName: `b/${path}`,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [hunk],
  };
}
