import {
  Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  Scalar,
  stringify,
  type ToStringOptions,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { trimEndOf } from "@/lib/schema/trim-characters";
import { CONFIG_YAML_LIMITS, PARSE_OPTIONS, parseYaml } from "./parse-yaml";

type Fields = Readonly<Record<string, unknown>>;

/** Serialises plain fields as YAML. */
export function writeYaml(fields: Fields): string {
  return stringify(fields, { lineWidth: 0 });
}

/**
 * Changes `text` so that it contains exactly `fields`. Unchanged fields keep their bytes; a changed one keeps the
 * comments, order and style of its content; new ones are appended. A text that can't be parsed is replaced by the plain
 * YAML of the fields. Pure: the editor uses it for every change in its form, the server for a config submitted as an
 * object.
 */
export function mergeYaml(text: string, fields: Fields): string {
  const wanted = JSON.parse(JSON.stringify(fields)) as Fields;
  const { problems, value, document } = parseYaml(text, CONFIG_YAML_LIMITS);
  if (problems.length > 0 || !isFields(value)) return writeYaml(wanted);
  if (isSame(value, wanted)) return text;
  const ways = [() => mergeFields(text, document, value, wanted), () => mergeWhole(text, wanted)];
  for (const merge of ways) {
    const merged = orNull(merge);
    if (merged !== null && isSame(parseYaml(merged, CONFIG_YAML_LIMITS).value, wanted)) return merged;
  }
  return writeYaml(wanted);
}

/** Anchors and aliases may leave a document that can't be serialised; the next method does without them. */
function orNull(merge: () => string | null): string | null {
  try {
    return merge();
  } catch {
    return null;
  }
}

/** A top-level field: its lines, and the blank lines and comments up to the next field. */
interface Field {
  readonly name: string;
  readonly at: number;
  readonly source: string;
  readonly gap: string;
}

/** Rewrites only the fields that differ; null if not all fields begin at the left margin. */
function mergeFields(text: string, document: Document, before: Fields, after: Fields): string | null {
  const fields = splitFields(text, document);
  const first = fields?.[0];
  if (!fields || !first) return null;
  const added = newFields(before, after);
  const last = fields.length - 1;
  const parts = [text.slice(0, first.at)];
  for (const [index, { name, source, gap }] of fields.entries()) {
    if (!Object.hasOwn(after, name)) parts.push(withoutComment(parts.pop() ?? ""));
    else parts.push(isSame(before[name], after[name]) ? source : mergeField(source, name, after[name]));
    if (index === last) parts.push(onOwnLine(parts.at(-1) ?? "", added));
    parts.push(gap);
  }
  return parts.join("");
}

function onOwnLine(above: string, added: string): string {
  return added === "" || above === "" || above.endsWith("\n") ? added : `\n${added}`;
}

function newFields(before: Fields, after: Fields): string {
  const names = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
  if (names.length === 0) return "";
  const document = new Document();
  document.contents = createNode(document, Object.fromEntries(names.map((name) => [name, after[name]])));
  return document.toString({ lineWidth: 0 });
}

/** The text above a removed field, without the comment directly above it, which described the field. */
function withoutComment(above: string): string {
  let end = above.length;
  while (above[end - 1] === "\n") {
    const start = above.slice(0, end - 1).lastIndexOf("\n") + 1;
    if (above[start] !== "#") break;
    end = start;
  }
  return above.slice(0, end);
}

function splitFields(text: string, { contents }: Document): Field[] | null {
  if (!isMap(contents) || contents.flow) return null;
  const keys = contents.items.map(({ key }) => (isScalar(key) && key.range ? { key, at: key.range[0] } : null));
  const begins = keys.flatMap((found) => (found && (found.at === 0 || text[found.at - 1] === "\n") ? [found] : []));
  if (begins.length !== contents.items.length) return null;
  return begins.map(({ key, at }, index) => {
    const lines = text.slice(at, begins[index + 1]?.at ?? text.length);
    const end = gapStart(lines);
    return { name: String(key.value), at, source: lines.slice(0, end), gap: lines.slice(end) };
  });
}

/** Where the blank lines, comments and document ends below the last line of a field begin. */
function gapStart(lines: string): number {
  let start = lines.length;
  while (start > 0) {
    const end = lines[start - 1] === "\n" ? start - 1 : start;
    const lineStart = lines.lastIndexOf("\n", Math.max(0, end - 1)) + 1;
    if (lineStart === 0 || lineStart > end || !/^(?:[ \t]*$|#|\.\.\.)/.test(lines.slice(lineStart, end))) break;
    start = lineStart;
  }
  return start;
}

function mergeField(source: string, name: string, value: unknown): string {
  const document = parseDocument(source, PARSE_OPTIONS);
  if (document.errors.length > 0) return writeYaml({ [name]: value });
  document.contents = mergeNode(document, document.contents, { [name]: value }) as typeof document.contents;
  return document.toString(styleOf(source));
}

function mergeWhole(text: string, fields: Fields): string {
  const document = parseDocument(text, PARSE_OPTIONS);
  document.contents = mergeNode(document, document.contents, fields) as typeof document.contents;
  return document.toString(styleOf(text));
}

/** The text's style, as far as the serialiser supports it. Folded text is folded again. */
function styleOf(text: string): ToStringOptions {
  return {
    lineWidth: /^[\w-]+:[ \t]+>/.test(text) ? 100 : 0,
    indent: Math.min(8, Math.max(2, /^( +)[^\s#-]/m.exec(text)?.[1]?.length ?? 2)),
    indentSeq: !hasFlushList(text),
    flowCollectionPadding: /[[{] \S/.test(text),
  };
}

/** Whether a list begins below its key without being indented. */
function hasFlushList(text: string): boolean {
  const lines = text.split("\n");
  return lines.some((line, index) => {
    const indent = /^ */.exec(line)?.[0] ?? "";
    const isKey = /^[^\s#-]/.test(line.slice(indent.length)) && trimEndOf(line, /[ \t]/).endsWith(":");
    return isKey && lines[index + 1]?.startsWith(`${indent}- `) === true;
  });
}

function mergeNode(document: Document, node: unknown, value: unknown): Node {
  if (isMap(node) && isFields(value)) return mergeMap(document, node, value);
  if (isSeq(node) && Array.isArray(value)) return mergeList(document, node, value);
  if (isNode(node) && isSame(node.toJS(document), value)) return node;
  const created = createNode(document, value);
  if (!isNode(node)) return created;
  created.commentBefore = node.commentBefore;
  created.spaceBefore = node.spaceBefore;
  if (!isCollection(node)) created.comment = node.comment;
  if (isScalar(node) && isScalar(created) && typeof node.value === "string") created.type = typeFor(node, value);
  return created;
}

/**
 * Quotes text that ends in blank lines, because a block scalar that keeps them would also absorb the blank lines that
 * follow.
 */
function createNode(document: Document, value: unknown): Node {
  const created = document.createNode(value);
  visit(created, {
    Scalar: (_, scalar) => {
      if (endsEmpty(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return created;
}

function endsEmpty(value: unknown): boolean {
  if (typeof value !== "string" || !value.endsWith("\n")) return false;
  const above = value.slice(0, -1);
  const words = above.trimEnd();
  return words === "" || above.slice(words.length).includes("\n");
}

/**
 * Quoted text and block scalars keep their style, except that a quoted line becomes a block if it now has several
 * lines.
 */
function typeFor({ type }: Scalar, value: unknown): Scalar["type"] {
  if (endsEmpty(value)) return Scalar.QUOTE_DOUBLE;
  if (typeof value !== "string" || type === Scalar.PLAIN) return undefined;
  return type?.startsWith("QUOTE") && value.includes("\n") ? Scalar.BLOCK_LITERAL : type;
}

function mergeMap(document: Document, map: YAMLMap, value: Fields): YAMLMap {
  map.items = map.items.filter(({ key }) => Object.hasOwn(value, nameOf(key)));
  for (const pair of map.items) pair.value = mergeNode(document, pair.value, value[nameOf(pair.key)]);
  const known = new Set(map.items.map(({ key }) => nameOf(key)));
  for (const [name, added] of Object.entries(value)) {
    if (!known.has(name)) map.items.push(document.createPair(name, createNode(document, added)));
  }
  return map;
}

/** Matches unchanged entries wherever they have moved, changed ones by label, otherwise by position. */
function mergeList(document: Document, list: YAMLSeq, value: readonly unknown[]): YAMLSeq {
  const left = new Map(list.items.map((item, at) => [at, { item, was: isNode(item) ? item.toJS(document) : item }]));
  const take = (at: number | undefined) => {
    const found = at === undefined ? undefined : left.get(at);
    if (at !== undefined) left.delete(at);
    return found?.item;
  };
  const find = (matches: (was: unknown) => boolean) => [...left].find(([, { was }]) => matches(was))?.[0];
  const kept = value.map((entry) => take(find((was) => isSame(was, entry))));
  const named = value.map(
    (entry, at) => kept[at] ?? take(find((was) => labelOf(was) !== null && labelOf(was) === labelOf(entry))),
  );
  const placed = value.map((_, at) => named[at] ?? take(left.has(at) ? at : undefined));
  list.items = value.map((entry, at) => mergeNode(document, placed[at], entry));
  return list;
}

/** The label that identifies an entry of a list. */
function labelOf(entry: unknown): string | null {
  const label = isFields(entry) ? (entry.id ?? entry.name ?? entry.tool) : null;
  return typeof label === "string" ? label : null;
}

function nameOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two plain values are equal, ignoring the order of fields. */
function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((entry, at) => isSame(entry, right[at]));
  }
  if (!isFields(left) || !isFields(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]))
  );
}
