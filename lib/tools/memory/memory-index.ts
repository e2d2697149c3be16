import { createSearchIndex, searchIndex } from "./search-index";

/** A memory document in its current state. */
export interface MemoryDocument {
  readonly path: string;
  readonly text: string;
}

/** A passage in memory. `line` counts from 1. */
interface MemorySnippet {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** A BM25 index of the memory documents of one workspace. Cache it: only changed documents are indexed again. */
export interface MemoryIndex {
  update(documents: readonly MemoryDocument[]): void;
  /** The best snippets, best first, excluding those of `except`. */
  search(query: string, top: number, except?: ReadonlySet<string>): MemorySnippet[];
}

const MAX_SNIPPET_CHARS = 800;
/** Snippets that score far below the best one only distract. */
const LEAST_SHARE = 0.2;

export function createMemoryIndex(): MemoryIndex {
  const index = createSearchIndex();
  const known = new Map<string, { readonly text: string; readonly ids: readonly string[] }>();
  const snippets = new Map<string, MemorySnippet>();

  function forget(path: string): void {
    for (const id of known.get(path)?.ids ?? []) {
      index.discard(id);
      snippets.delete(id);
    }
    known.delete(path);
  }

  function learn({ path, text }: MemoryDocument): void {
    const pieces = splitSnippets(path, text);
    const ids = pieces.map(({ line }) => `${path}:${line}`);
    pieces.forEach((piece, at) => {
      const id = ids[at] ?? "";
      snippets.set(id, piece);
      index.add({ id, title: path, text: piece.text });
    });
    known.set(path, { text, ids });
  }

  return {
    update(documents) {
      const present = new Set(documents.map(({ path }) => path));
      for (const path of known.keys()) if (!present.has(path)) forget(path);
      for (const document of documents) {
        if (known.get(document.path)?.text === document.text) continue;
        forget(document.path);
        learn(document);
      }
    },
    search(query, top, except = new Set()) {
      const hits = searchIndex(index, query, { top: Number.MAX_SAFE_INTEGER, leastShare: LEAST_SHARE });
      return hits
        .flatMap(({ id }) => snippets.get(id) ?? [])
        .filter(({ path }) => !except.has(path))
        .slice(0, top);
    },
  };
}

/**
 * Splits a text into paragraphs, merging short ones: a snippet begins at a blank line or a heading, never within a
 * line.
 */
function splitSnippets(path: string, text: string): MemorySnippet[] {
  const found: { line: number; lines: string[]; length: number }[] = [];
  text.split("\n").forEach((line, at) => {
    const open = found.at(-1);
    const isBreak = line.trim() === "" || line.startsWith("#");
    if (!open || (isBreak && open.length > MAX_SNIPPET_CHARS / 2) || open.length + line.length > MAX_SNIPPET_CHARS) {
      if (line.trim() !== "") found.push({ line: at + 1, lines: [line], length: line.length });
      return;
    }
    open.lines.push(line);
    open.length += line.length + 1;
  });
  return found.map(({ line, lines }) => ({ path, line, text: cutSnippet(lines) }));
}

/** The maximum of a single line that exceeds the length of a snippet. */
const MAX_LINE_CHARS = 4_000;

function cutSnippet(lines: readonly string[]): string {
  return lines.join("\n").trim().slice(0, MAX_LINE_CHARS).toWellFormed();
}
