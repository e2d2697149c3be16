import { diffWordsWithSpace, structuredPatch } from "diff";

export interface DiffRow {
  readonly kind: " " | "+" | "-" | "@";
  readonly text: string;
  readonly oldLine?: number;
  readonly newLine?: number;
  /** Start and end of the stretch that differs from the line it replaces. */
  readonly mark?: readonly [start: number, end: number];
}

const CONTEXT_LINES = 3;

/**
 * Most removed and added lines together. The comparison's time is quadratic in them: with more it would take seconds.
 */
const MOST_EDITS = 1000;

/** A line diff with three lines of context; the differing stretch of a changed line is marked. */
export function diffRows(before: string, after: string): DiffRow[] {
  const options = { context: CONTEXT_LINES, maxEditLength: MOST_EDITS };
  const patch = structuredPatch("before", "after", before, after, "", "", options);
  if (patch === undefined) return replacedRows(before, after);
  return patch.hunks.flatMap((hunk, index) => {
    const rows = hunkRows(hunk.lines, hunk.oldStart, hunk.newStart);
    return index === 0 ? rows : [{ kind: "@", text: `line ${hunk.newStart}` } as const, ...rows];
  });
}

/** All of one text, then all of the other. */
function replacedRows(before: string, after: string): DiffRow[] {
  return [
    ...linesOf(before).map((text, index) => ({ kind: "-", text, oldLine: index + 1 }) as const),
    ...linesOf(after).map((text, index) => ({ kind: "+", text, newLine: index + 1 }) as const),
  ];
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/u, "").split("\n");
}

/** Rows of a unified patch, without headers. */
export function patchRows(patch: string): DiffRow[] {
  const rows: DiffRow[] = [];
  for (const part of patch.split(/^(?=@@ )/mu).filter((text) => text.startsWith("@@ "))) {
    const [header = "", ...lines] = part.replace(/\n$/u, "").split("\n");
    const starts = /-(\d+)(?:,\d+)? \+(\d+)/u.exec(header);
    if (rows.length > 0) rows.push({ kind: "@", text: `line ${starts?.[2] ?? ""}` });
    rows.push(...hunkRows(lines, Number(starts?.[1] ?? 1), Number(starts?.[2] ?? 1)));
  }
  return rows;
}

function hunkRows(lines: readonly string[], oldStart: number, newStart: number): DiffRow[] {
  let oldLine = oldStart;
  let newLine = newStart;
  const rows: DiffRow[] = [];
  for (const line of lines) {
    const text = line.slice(1);
    if (line.startsWith("+")) {
      rows.push({ kind: "+", text, newLine });
      newLine += 1;
    } else if (line.startsWith("-")) {
      rows.push({ kind: "-", text, oldLine });
      oldLine += 1;
    } else if (!line.startsWith("\\")) {
      rows.push({ kind: " ", text, oldLine, newLine });
      oldLine += 1;
      newLine += 1;
    }
  }
  return markPairs(rows);
}

/** Pairs the nth removed line of a block with its nth added one. */
function markPairs(rows: DiffRow[]): DiffRow[] {
  const marked = [...rows];
  let index = 0;
  while (index < rows.length) {
    const removed = runLength(rows, index, "-");
    const added = runLength(rows, index + removed, "+");
    for (let pair = 0; pair < Math.min(removed, added); pair += 1) {
      const [oldIndex, newIndex] = [index + pair, index + removed + pair];
      const marks = changedStretch(rows[oldIndex]?.text ?? "", rows[newIndex]?.text ?? "");
      if (marks === null) continue;
      marked[oldIndex] = { ...(rows[oldIndex] as DiffRow), mark: marks.old };
      marked[newIndex] = { ...(rows[newIndex] as DiffRow), mark: marks.new };
    }
    index += Math.max(1, removed + added);
  }
  return marked;
}

function runLength(rows: readonly DiffRow[], from: number, kind: DiffRow["kind"]): number {
  let length = 0;
  while (rows[from + length]?.kind === kind) length += 1;
  return length;
}

/** From the first to the last differing word; null if the lines have too little in common to be worth marking. */
function changedStretch(before: string, after: string) {
  if (before.length + after.length > 2000) return null;
  const parts = diffWordsWithSpace(before, after);
  const kept = parts.filter((part) => !part.added && !part.removed).reduce((sum, part) => sum + part.value.length, 0);
  if (kept * 3 < Math.max(before.length, after.length)) return null;
  const start = parts[0] && !parts[0].added && !parts[0].removed ? parts[0].value.length : 0;
  const last = parts.at(-1);
  const tail = last && !last.added && !last.removed && parts.length > 1 ? last.value.length : 0;
  return { old: [start, before.length - tail], new: [start, after.length - tail] } as const;
}
