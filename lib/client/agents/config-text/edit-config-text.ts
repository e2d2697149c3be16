import {
  Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Pair,
  type Scalar,
  stringify,
  visit,
  YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { type ConfigText, keyOf, pairAt, pairRange, readConfigText } from "./config-text";
import { type ConfigPath, isObject, isSame, valueAt, withValue } from "./config-values";

/** The documented order of fields: a new one goes after those that precede it there. */
const ORDER = Object.keys(AgentConfig.shape);

/** Long texts are not wrapped unless they were written folded. */
const WRITE = { lineWidth: 0, flowCollectionPadding: false } as const;
const FOLD_COLUMNS = 80;

/**
 * The text with another value at a path; undefined removes the field. Everything else is preserved: comments, order,
 * quotes and empty lines, and within a list or a mapping the comments of the remaining items. An unreadable text is
 * returned unchanged.
 */
export function setInText(text: string, path: ConfigPath, value: unknown): string {
  const read = readConfigText(text);
  const [top] = path;
  if (read.config === null || top === undefined || isSame(valueAt(read.config, path), value)) return text;
  const wanted = withValue(read.config, path, value);
  const edited = editScalar(read, path, value) ?? editField(read, top, wanted[top]);
  return isSame(readConfigText(edited).config, wanted) ? edited : rewrite(read, wanted);
}

/** Replaces one scalar, changing nothing else on its line. */
function editScalar({ text, document }: ConfigText, path: ConfigPath, value: unknown): string | null {
  const node = pairAt(document, path)?.value;
  if (!isScalar(node) || !node.range || isObject(value) || Array.isArray(value) || value === undefined) return null;
  const [start, end] = node.range;
  const isPlain = node.type === "PLAIN" || node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE";
  if (!isPlain || start === end || text.slice(start, end).includes("\n")) return null;
  const written = writeScalar(value, node);
  return written.includes("\n") ? null : text.slice(0, start) + written + text.slice(end);
}

function writeScalar(value: unknown, { type }: Scalar): string {
  const quotes = typeof value === "string" && (type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE");
  const options = quotes ? { defaultStringType: type } : {};
  return stringify(value, { ...WRITE, ...options, blockQuote: false }).trimEnd();
}

/** One top-level field: replaced, added after those that precede it, or removed with its lines. */
function editField(read: ConfigText, top: string, value: unknown): string {
  const { text, document } = read;
  const pair = pairAt(document, [top]);
  const range = pair === null ? null : pairRange(text, pair);
  if (pair === null || range === null) return addField(read, top, value);
  if (value === undefined) {
    const rest = text.slice(range.end).replace(/^[^\n]*\n?/u, "");
    return text.slice(0, range.start) + rest;
  }
  const written = writePair(document, pair, value);
  return text.slice(0, range.start) + written + text.slice(range.end);
}

/** The pair on its own, with the comments of what remains. */
function writePair(document: Document, pair: Pair, value: unknown): string {
  const solo = new Document(new YAMLMap());
  const node = reconcile(document, pair.value, value);
  if (isNode(node)) node.spaceBefore = false;
  const map = new YAMLMap();
  map.items = [new Pair(solo.createNode(keyOf(pair)), node)];
  solo.contents = map;
  return solo.toString({ ...WRITE, lineWidth: hasFolded(node) ? FOLD_COLUMNS : 0 }).trimEnd();
}

function hasFolded(node: unknown): boolean {
  let found = false;
  if (isNode(node)) {
    visit(node, {
      Scalar(_, { type }) {
        if (type !== "BLOCK_FOLDED") return;
        found = true;
        return visit.BREAK;
      },
    });
  }
  return found;
}

/** A node for `value`, reusing the old one if possible. */
function reconcile(document: Document, node: unknown, value: unknown): unknown {
  if (isMap(node) && isObject(value)) return reconcileMap(document, node, value);
  if (isSeq(node) && Array.isArray(value)) return reconcileList(document, node, value);
  if (isScalar(node) && !isObject(value) && !Array.isArray(value)) return reconcileScalar(node, value);
  return document.createNode(value);
}

function reconcileScalar(node: Scalar, value: unknown): Scalar {
  if (isSame(node.value, value)) return node;
  const isBlock = typeof value === "string" && value.includes("\n");
  if (isBlock && node.type !== "BLOCK_FOLDED") node.type = "BLOCK_LITERAL";
  if (!isBlock && (typeof node.value !== typeof value || node.type?.startsWith("BLOCK"))) node.type = undefined;
  node.value = value;
  node.source = undefined;
  return node;
}

function reconcileMap(document: Document, map: YAMLMap, value: RawConfig): YAMLMap {
  map.items = map.items.filter((pair) => (keyOf(pair) ?? "") in value);
  for (const pair of map.items) pair.value = reconcile(document, pair.value, value[keyOf(pair) ?? ""]);
  const known = new Set(map.items.map(keyOf));
  for (const [key, below] of Object.entries(value)) {
    if (!known.has(key)) map.items.push(document.createPair(key, below));
  }
  return map;
}

/** Items that remain keep their comments, even if they move; so does one changed in place. */
function reconcileList(document: Document, list: YAMLSeq, value: readonly unknown[]): YAMLSeq {
  const left = list.items.map((node) => ({ node, value: isNode(node) ? node.toJS(document) : node, isUsed: false }));
  const take = (item: (typeof left)[number] | undefined) => {
    if (item === undefined || item.isUsed) return undefined;
    item.isUsed = true;
    return item;
  };
  const same = value.map((wanted) => take(left.find((item) => !item.isUsed && isSame(item.value, wanted))));
  const isReplaced = list.items.length === value.length;
  list.items = value.map((wanted, index) => {
    const kept = same[index]?.node;
    if (kept !== undefined) return kept;
    const changed = isReplaced ? take(left[index]) : undefined;
    return reconcile(document, changed?.node, wanted);
  });
  return list;
}

function addField({ text, document }: ConfigText, top: string, value: unknown): string {
  const written = stringify({ [top]: value }, WRITE);
  const pairs = isMap(document.contents) ? document.contents.items : [];
  const rank = ORDER.indexOf(top);
  const before = rank < 0 ? pairs.at(-1) : nearestBefore(pairs, rank);
  const range = before === undefined ? null : pairRange(text, before);
  if (range === null) {
    const first = pairs[0] === undefined ? null : pairRange(text, pairs[0]);
    const at = first?.start ?? text.length;
    const isInLine = at > 0 && text[at - 1] !== "\n";
    return `${text.slice(0, at)}${isInLine ? "\n" : ""}${written}${text.slice(at)}`;
  }
  const lineEnd = text.indexOf("\n", range.end);
  if (lineEnd < 0) return `${text}\n${written}`;
  return text.slice(0, lineEnd + 1) + written + text.slice(lineEnd + 1);
}

/** Of the pairs that rank before `rank`, the one documented last. */
function nearestBefore(pairs: readonly Pair[], rank: number): Pair | undefined {
  const rankOf = (pair: Pair) => ORDER.indexOf(keyOf(pair) ?? "");
  const earlier = pairs.filter((pair) => rankOf(pair) >= 0 && rankOf(pair) < rank);
  return earlier.toSorted((left, right) => rankOf(right) - rankOf(left))[0];
}

/** For unusual notation, such as all fields within { }: rewrites the whole text. */
function rewrite({ text }: ConfigText, wanted: RawConfig): string {
  const { document } = readConfigText(text);
  const contents = reconcile(document, document.contents, wanted);
  if (!isNode(contents)) return stringify(wanted, WRITE);
  document.contents = contents as typeof document.contents;
  return document.toString(WRITE);
}
