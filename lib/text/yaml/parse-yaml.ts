import { type Document, isAlias, isCollection, isMap, isNode, isScalar, Lexer, LineCounter, parseDocument } from "yaml";

/** The most that a text may have. Tokens are those of the lexer: about seven for a line `name: value`. */
export interface YamlLimits {
  readonly chars: number;
  readonly tokens: number;
  /** How often the expansion of aliases may multiply. */
  readonly aliases: number;
}

export interface YamlProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

export interface ParsedYaml {
  readonly document: Document;
  readonly lines: LineCounter;
  /** The first 20; with one of them there is no value. */
  readonly problems: readonly YamlProblem[];
  readonly value: unknown;
}

const MAX_PROBLEMS = 20;
/** Each one is resolved by a walk over the text before it. */
const MAX_ALIAS_TOKENS = 100;
const MAX_DEPTH = 200;

interface Fault {
  readonly message: string;
  readonly offset: number;
}

/**
 * Parses YAML 1.2 that anybody may have written, in time that grows with its length: the tokens are counted before a
 * parser sees them, repeated keys are found with a set, and an alias that would contain itself is a problem instead of
 * a value without end.
 */
export function parseYaml(text: string, limits: YamlLimits): ParsedYaml {
  const lines = new LineCounter();
  const tooMuch = findExcess(text, limits);
  const document = parseDocument(tooMuch === null ? text : "", {
    lineCounter: lines,
    schema: "core",
    merge: false,
    strict: true,
    uniqueKeys: false,
    prettyErrors: false,
  });
  const faults = tooMuch === null ? findFaults(document) : [{ message: tooMuch, offset: 0 }];
  const problems = faults.slice(0, MAX_PROBLEMS).map(({ message, offset }) => {
    const { line, col } = lines.linePos(offset);
    return { message, line: Math.max(1, line), column: Math.max(1, col) };
  });
  if (problems.length > 0) return { document, lines, problems, value: undefined };
  try {
    return { document, lines, problems, value: document.toJS({ maxAliasCount: limits.aliases }) };
  } catch {
    // Expanding aliases is where a small text becomes a huge value.
    const problem = { message: TOO_MANY_ALIASES, line: 1, column: 1 };
    return { document, lines, problems: [problem], value: undefined };
  }
}

const TOO_MANY_ALIASES = "The text uses too many aliases. Write out what they stand for.";

/** Counts without building anything; the lexer stops where the limit is. */
function findExcess(text: string, limits: YamlLimits): string | null {
  if (text.length > limits.chars) {
    return `The text has more than ${format(limits.chars)} characters. Divide it, or move long texts into files.`;
  }
  let tokens = 0;
  let aliases = 0;
  let depth = 0;
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    depth += NESTING[token] ?? 0;
    if (token.startsWith("*")) aliases += 1;
    if (depth > MAX_DEPTH) return TOO_DEEP;
    if (tokens > limits.tokens) return `The text has more than ${format(limits.tokens)} tokens. Divide it.`;
    if (aliases > MAX_ALIAS_TOKENS) return TOO_MANY_ALIASES;
  }
  return null;
}

const NESTING: Readonly<Record<string, number>> = { "[": 1, "{": 1, "]": -1, "}": -1 };
const TOO_DEEP = "The text is nested too deeply.";

function findFaults(document: Document): Fault[] {
  const { errors } = document;
  if (errors.length === 0) return findBadNodes(document);
  return errors.slice(0, MAX_PROBLEMS).map(({ message, pos }) => {
    // The parser reports an exhausted stack as one of its errors.
    const isTooDeep = message.startsWith("Maximum call stack size exceeded");
    return { message: isTooDeep ? TOO_DEEP : (message.split("\n")[0] ?? message), offset: pos[0] };
  });
}

interface Open {
  readonly node: unknown;
  readonly depth: number;
  /** Anchors of what it is in. */
  readonly anchors: readonly string[];
}

/** Walks with its own stack and finds repeated keys, aliases inside their own anchors, and too many levels. */
function findBadNodes(document: Document): Fault[] {
  const faults: Fault[] = [];
  const open: Open[] = [{ node: document.contents, depth: 0, anchors: [] }];
  for (let entry = open.pop(); entry && faults.length < MAX_PROBLEMS; entry = open.pop()) {
    faults.push(...faultsOf(entry));
    if (entry.depth > MAX_DEPTH) return faults;
    open.push(...childrenOf(entry));
  }
  return faults.toSorted((left, right) => left.offset - right.offset);
}

function faultsOf({ node, depth, anchors }: Open): Fault[] {
  const offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  if (depth > MAX_DEPTH) return [{ message: TOO_DEEP, offset }];
  if (isMap(node)) return findRepeatedKeys(node.items);
  if (!isAlias(node) || !anchors.includes(node.source)) return [];
  return [{ message: `The alias *${node.source} stands inside of what it stands for.`, offset }];
}

function childrenOf({ node, depth, anchors: outer }: Open): Open[] {
  if (!isCollection(node)) return [];
  const anchors = node.anchor === undefined ? outer : [...outer, node.anchor];
  const children = isMap(node) ? node.items.flatMap(({ key, value }) => [key, value]) : node.items;
  return children.map((child) => ({ node: child, depth: depth + 1, anchors }));
}

function findRepeatedKeys(pairs: readonly { readonly key: unknown }[]): Fault[] {
  const seen = new Set<unknown>();
  return pairs.flatMap(({ key }) => {
    if (!isScalar(key)) return [];
    const isRepeated = seen.has(key.value);
    seen.add(key.value);
    if (!isRepeated) return [];
    return [{ message: `The field "${String(key.value)}" is there twice. Remove one.`, offset: key.range?.[0] ?? 0 }];
  });
}

function format(count: number): string {
  return count.toLocaleString("en-US");
}
