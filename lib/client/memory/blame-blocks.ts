import { diffArrays } from "diff";
import type { MemoryBlame, MemoryCut } from "@/lib/schema/files/memory";

type BlameLine = MemoryBlame[number];

/** Lines from the same version; `origin` is null for lines that are typed and not saved. */
export interface BlameBlock {
  readonly origin: BlameLine | null;
  /** Number of the first line, from 1. */
  readonly start: number;
  readonly lines: readonly string[];
  /** Of each line; "" for one that is not saved. */
  readonly ids: readonly string[];
}

const TIMEOUT_MS = 300;

/** The text in blocks, each with its origin: lines that are not in the blame are unsaved. */
export function blameBlocks(blame: MemoryBlame, text: string): BlameBlock[] {
  const blocks: { origin: BlameLine | null; start: number; lines: string[]; ids: string[] }[] = [];
  for (const [at, { text: line, origin }] of originsOf(blame, linesOf(text)).entries()) {
    const last = blocks.at(-1);
    const id = origin?.id ?? "";
    if (last && last.origin?.version === origin?.version) {
      last.lines.push(line);
      last.ids.push(id);
    } else blocks.push({ origin, start: at + 1, lines: [line], ids: [id] });
  }
  return blocks;
}

/** One line of a block; the first has index 0. */
export function lineOfBlock({ origin, start, lines, ids }: BlameBlock, index: number): BlameBlock {
  return { origin, start: start + index, lines: lines.slice(index, index + 1), ids: ids.slice(index, index + 1) };
}

/** The id of a block of one line; null for more lines, an empty one and one that is not saved. */
export function lineIdOf({ lines, ids }: BlameBlock): string | null {
  const [line = "", ...others] = lines;
  const [id = ""] = ids;
  return others.length > 0 || line.trim() === "" || id === "" ? null : id;
}

interface Origin {
  readonly text: string;
  readonly origin: BlameLine | null;
}

function originsOf(blame: MemoryBlame, lines: readonly string[]): Origin[] {
  const known = blame.map((line) => line.text);
  const parts = diffArrays(known, [...lines], { timeout: TIMEOUT_MS });
  if (!parts) return lines.map((text) => ({ text, origin: null }));
  let at = 0;
  return parts.flatMap(({ added, removed, count, value }): Origin[] => {
    if (added) return value.map((text) => ({ text, origin: null }));
    const from = at;
    at += count;
    return removed ? [] : value.map((text, index) => ({ text, origin: blame[from + index] ?? null }));
  });
}

/** As the server counts them: a final line break does not start another line. */
function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** The text without those lines; the first line is 1. */
export function withoutLines(text: string, start: number, count: number): string {
  const lines = text.split("\n");
  lines.splice(start - 1, count);
  return lines.join("\n");
}

/** The lines that the model does not read, counted from 1: those that begin inside the cut. */
export function cutLines({ from, to }: MemoryCut, text: string): { readonly from: number; readonly to: number } {
  const count = (end: number) => text.slice(0, end).split("\n").length;
  const isAtStart = from === 0 || text[from - 1] === "\n";
  return { from: count(from) + (isAtStart ? 0 : 1), to: to >= text.length ? Number.POSITIVE_INFINITY : count(to) };
}
