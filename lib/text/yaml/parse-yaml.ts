import {
  type Document,
  type ErrorCode,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  Lexer,
  type LineCounter,
} from "yaml";
import { isUnsafeKey } from "@/lib/schema/unsafe-keys";
import { MOST_YAML_ERRORS, parseYamlDocument } from "./parse-document";

/** The limits of a text. Tokens are those of the lexer: about seven for a line `name: value`. */
export interface YamlLimits {
  readonly chars: number;
  readonly tokens: number;
  /** The maximum factor by which aliases may expand. */
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
  /** The first 20; if there are any, there is no value. */
  readonly problems: readonly YamlProblem[];
  readonly value: unknown;
  /** The text before the field with the first syntax error; null if there is none, or if the position is unknown. */
  readonly soundText: string | null;
}

/** For an agent's config: a long agents.yaml has a tenth of this. */
export const CONFIG_YAML_LIMITS: YamlLimits = { chars: 262_144, tokens: 20_000, aliases: 20 };

/** YAML 1.2 without merge keys; duplicate keys are found by a separate walk. */
export const PARSE_OPTIONS = {
  schema: "core",
  merge: false,
  strict: true,
  uniqueKeys: false,
  prettyErrors: false,
  // Its warnings would quote the text in the server's own output.
  logLevel: "error",
} as const;

const MAX_PROBLEMS = MOST_YAML_ERRORS;
/** Resolving an alias walks the text before it. */
const MAX_ALIAS_TOKENS = 100;
const MAX_DEPTH = 200;

interface Fault {
  readonly message: string;
  readonly offset: number;
}

/**
 * Parses untrusted YAML 1.2 in time proportional to its length: tokens are counted before parsing, duplicate keys are
 * found with a set, and an alias that would contain itself is reported as a problem instead of giving an infinite
 * value.
 */
export function parseYaml(text: string, limits: YamlLimits): ParsedYaml {
  const tooMuch = findExcess(text, limits);
  const { document, lines } = parseYamlDocument(tooMuch === null ? text : "", PARSE_OPTIONS);
  const faults = tooMuch === null ? findFaults(document) : [{ message: tooMuch, offset: 0 }];
  const problems = faults.slice(0, MAX_PROBLEMS).map(({ message, offset }) => {
    const { line, col } = lines.linePos(offset);
    return { message, line: Math.max(1, line), column: Math.max(1, col) };
  });
  if (problems.length > 0) return { document, lines, problems, value: undefined, soundText: soundText(text, document) };
  try {
    return { document, lines, problems, value: document.toJS({ maxAliasCount: limits.aliases }), soundText: null };
  } catch (error) {
    // Expanding aliases can turn a small text into a huge value.
    const isUnknown = error instanceof Error && error.message.startsWith("Unresolved alias");
    const problem = { message: isUnknown ? UNKNOWN_ALIAS : TOO_MANY_ALIASES, line: 1, column: 1 };
    return { document, lines, problems: [problem], value: undefined, soundText: null };
  }
}

/** The longest valid part that ends before a top-level field; an unclosed quote invalidates everything after it. */
function soundText(text: string, { errors: [first] }: Document): string | null {
  if (first === undefined) return null;
  const fields = [...text.slice(0, first.pos[0] + 1).matchAll(/^[^\s#\-\]}]/gmu)].map(({ index }) => index);
  let [sound, broken] = [0, fields.length];
  while (broken - sound > 1) {
    const middle = Math.floor((sound + broken) / 2);
    const { errors } = parseYamlDocument(text.slice(0, fields[middle]), PARSE_OPTIONS).document;
    if (errors.length === 0) sound = middle;
    else broken = middle;
  }
  return text.slice(0, fields[sound] ?? 0);
}

const UNKNOWN_ALIAS = "An alias names no anchor above it. Define one with &name, or write the value out.";
const TOO_MANY_ALIASES = "The text uses too many aliases. Write out what they stand for.";

/** Counts without building anything; the lexer stops at the limit. */
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
  const faults = errors.slice(0, MAX_PROBLEMS).map(({ message, code, pos }) => {
    // The parser reports a stack overflow as one of its errors.
    const isTooDeep = message.startsWith("Maximum call stack size exceeded");
    return { message: isTooDeep ? TOO_DEEP : SYNTAX_FAULTS[code](message), offset: pos[0] };
  });
  // One mistake often gives several parser errors in a row.
  return faults.filter(({ message }, index) => message !== faults[index - 1]?.message);
}

const wordsOf = (words: string) => () => words;

/** For each parser error: what is wrong and what to write instead. */
const SYNTAX_FAULTS: Readonly<Record<ErrorCode, (message: string) => string>> = {
  ALIAS_PROPS: wordsOf("An alias such as *name takes no anchor and no tag. Remove what comes before it."),
  BAD_ALIAS: wordsOf(UNKNOWN_ALIAS),
  BAD_COLLECTION_TYPE: wordsOf("This tag does not fit a list or a map. Remove the tag."),
  BAD_DIRECTIVE: wordsOf("Lines that begin with % are directives, which are not needed here. Remove the line."),
  BAD_DQ_ESCAPE: wordsOf('There is no such escape inside "…". Write \\\\ for a backslash, or use single quotes.'),
  BAD_INDENT: (message) =>
    message.includes("end with a")
      ? missingMark(message)
      : "The indentation does not match the lines above. Align it with the fields it belongs to.",
  BAD_PROP_ORDER: wordsOf("An anchor or a tag belongs before its value. Move it there."),
  BAD_SCALAR_START: (message) =>
    `A text cannot begin with ${/character (.)/u.exec(message)?.[1] ?? "this character"} unless it is quoted. Put it in quotes.`,
  BLOCK_AS_IMPLICIT_KEY: wordsOf(
    "A field cannot begin inside a value. Put the value in quotes if the colon is part of it, or fix the indentation.",
  ),
  BLOCK_IN_FLOW: wordsOf("Inside [ ] and { } a value must be on one line, or in quotes."),
  DUPLICATE_KEY: wordsOf("This field is there twice. Remove one."),
  IMPOSSIBLE: wordsOf("This cannot be read. Check quotes, brackets and indentation around it."),
  KEY_OVER_1024_CHARS: wordsOf("The name of a field is longer than 1,024 characters. Is a colon or a quote missing?"),
  MISSING_CHAR: missingMark,
  MULTILINE_IMPLICIT_KEY: wordsOf("This line is no field: a colon is missing, or the text above is not indented."),
  MULTIPLE_ANCHORS: wordsOf("A value can have one anchor only. Remove the others."),
  MULTIPLE_DOCS: wordsOf("The text has more than one document. Remove the line --- and what follows."),
  MULTIPLE_TAGS: wordsOf("A value can have one tag only. Remove the others."),
  NON_STRING_KEY: wordsOf("The name of a field must be a text."),
  RESOURCE_EXHAUSTION: wordsOf(TOO_MANY_ALIASES),
  TAB_AS_INDENT: wordsOf("The line is indented with a tab. Use spaces."),
  TAG_RESOLVE_FAILED: wordsOf("This tag is not known. Remove what begins with an exclamation mark."),
  UNEXPECTED_TOKEN: wordsOf("This does not belong here. Check quotes, brackets and indentation before it."),
};

/** Only the parser's message names the missing mark. */
function missingMark(message: string): string {
  if (message.includes("quote")) return "A closing quote is missing. Add it at the end of the value.";
  const mark = /(?:with a|Missing|expected) ([\]}:,])/iu.exec(message)?.[1];
  if (mark === undefined)
    return "The name of a field has no colon behind it. Add one, or put the whole text in quotes.";
  return `A ${mark} is missing. Add it, or put the whole value in quotes.`;
}

interface Open {
  readonly node: unknown;
  readonly depth: number;
  /** The anchors of the enclosing nodes. */
  readonly anchors: readonly string[];
}

/** Walks with an explicit stack to find duplicate and unsafe keys, tags, aliases inside their own anchors, and excessive nesting. */
function findBadNodes(document: Document): Fault[] {
  const faults: Fault[] = [];
  const open: Open[] = [{ node: document.contents, depth: 0, anchors: [] }];
  for (let entry = open.pop(); entry && faults.length < MAX_PROBLEMS; entry = open.pop()) {
    faults.push(...faultsOf(entry, document));
    if (entry.depth > MAX_DEPTH) return faults;
    open.push(...childrenOf(entry));
  }
  return faults.toSorted((left, right) => left.offset - right.offset);
}

function faultsOf({ node, depth, anchors }: Open, document: Document): Fault[] {
  const offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  if (depth > MAX_DEPTH) return [{ message: TOO_DEEP, offset }];
  if ((isScalar(node) || isCollection(node)) && node.tag !== undefined) return [{ message: NO_TAGS, offset }];
  if (isMap(node)) return [...findRepeatedKeys(node.items), ...findUnsafeKeys(node.items, document)];
  if (!isAlias(node) || !anchors.includes(node.source)) return [];
  return [{ message: `The alias *${node.source} is inside the very value it refers to. Write the value out.`, offset }];
}

function childrenOf({ node, depth, anchors: outer }: Open): Open[] {
  if (!isCollection(node)) return [];
  const anchors = node.anchor === undefined ? outer : [...outer, node.anchor];
  const children = isMap(node) ? node.items.flatMap(({ key, value }) => [key, value]) : node.items;
  return children.map((child) => ({ node: child, depth: depth + 1, anchors }));
}

const NO_TAGS = "Tags are not read here. Remove what begins with an exclamation mark.";

/** An alias may stand for the name of a field. */
function findUnsafeKeys(pairs: readonly { readonly key: unknown }[], document: Document): Fault[] {
  return pairs.flatMap(({ key }) => {
    const named = isAlias(key) ? key.resolve(document) : key;
    if (!isScalar(named) || !isUnsafeKey(String(named.value))) return [];
    const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0;
    return [{ message: `No field may be called "${String(named.value)}". Remove it.`, offset }];
  });
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
