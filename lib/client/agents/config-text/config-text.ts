import { type Document, isMap, isNode, isScalar, isSeq, type Pair, parseDocument } from "yaml";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { type ConfigPath, isObject } from "./config-values";

/** A text as YAML; `config` is null if it can't be read as fields. */
export interface ConfigText {
  readonly text: string;
  readonly document: Document;
  readonly config: RawConfig | null;
}

/** The limit on how far aliases may multiply; the server refuses more. */
const MOST_ALIASES = 20;

export function readConfigText(text: string): ConfigText {
  const document = parseDocument(text, { schema: "core", merge: false, prettyErrors: false });
  return { text, document, config: configOf(document) };
}

function configOf(document: Document): RawConfig | null {
  if (document.errors.length > 0) return null;
  if (document.contents === null) return {};
  try {
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Lines from 1, both inclusive. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** The lines of a field and everything below it; null if the text does not set it. */
export function linesOf({ text, document }: ConfigText, path: ConfigPath): LineRange | null {
  const pair = pairAt(document, path);
  const range = pair === null ? null : pairRange(text, pair);
  return range === null
    ? null
    : { first: lineAt(text, range.start), last: lineAt(text, Math.max(range.start, range.end - 1)) };
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** The pair for the last key of a path. */
export function pairAt(document: Document, path: ConfigPath): Pair | null {
  let node: unknown = document.contents;
  let found: Pair | null = null;
  for (const key of path) {
    if (!isMap(node)) return null;
    found = node.items.find((pair) => keyOf(pair) === key) ?? null;
    node = found?.value;
    if (found === null) return null;
  }
  return found;
}

export function keyOf({ key }: Pair): string | null {
  return isScalar(key) ? String(key.value) : null;
}

/** From the key to the end of the value, including the rest of its last line but not the line break. */
export function pairRange(text: string, { key, value }: Pair): { start: number; end: number } | null {
  if (!isNode(key) || !key.range) return null;
  const end = isNode(value) && value.range ? value.range[2] : key.range[2];
  return { start: key.range[0], end: Math.max(key.range[1], trimEnd(text, key.range[0], end)) };
}

function trimEnd(text: string, start: number, end: number): number {
  const part = text.slice(start, end);
  return start + part.trimEnd().length;
}

/** The path to what is written at an offset; list items count as their field. Empty outside any field. */
export function pathAt({ text, document }: ConfigText, offset: number): string[] {
  const path: string[] = [];
  let node: unknown = document.contents;
  for (;;) {
    if (!isMap(node)) return path;
    const found = node.items.findLast((pair) => {
      const range = pairRange(text, pair);
      return range !== null && range.start <= offset && offset <= lineEnd(text, range.end);
    });
    const key = found === undefined ? null : keyOf(found);
    if (found === undefined || key === null) return path;
    path.push(key);
    node = found.value;
    if (isSeq(node)) return path;
  }
}

function lineEnd(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at < 0 ? text.length : at;
}
