/** How many alternatives a pattern's braces may expand to; more are a mistake. */
const MAX_ALTERNATIVES = 100;
/** Each opening brace or bracket may make the reader go to the end of the pattern. */
const MAX_PATTERN_CHARS = 1_000;

/** A compiled glob of a rule. */
export interface Glob {
  matches(text: string): boolean;
}

/**
 * Compiles a rule's glob: `*`, `**`, `?`, `[a-z]`, `[!a]`, `{a,b}`, `@(a|b)`, `\` and a leading `!`; hidden files match
 * like any others. Matching is linear in each of the two lengths, because a model writes the text and the regexes of
 * glob libraries backtrack on it. Null for unsupported syntax: `!(a)`, `+(a)`, `*(a)`, `?(a)`, too many alternatives,
 * and patterns of more than 1,000 characters with such signs.
 */
export function compileGlob(pattern: string): Glob | null {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const glob = readGlob(pattern);
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  compiled.set(pattern, glob);
  return glob;
}

/** Every call is compared with the same few rules. */
const compiled = new Map<string, Glob | null>();
const MOST_COMPILED = 500;

/** What a glob without any of these is: the text itself. */
const SIGNS = new Set("*?[]{}()!@\\");

function readGlob(pattern: string): Glob | null {
  if (![...pattern].some((sign) => SIGNS.has(sign))) return { matches: (text) => text === pattern };
  if (pattern.length > MAX_PATTERN_CHARS) return null;
  const isNegated = pattern.startsWith("!") && !pattern.startsWith("!(");
  const body = isNegated ? pattern.slice(1) : pattern;
  if (/(?<!\\)[!+*?]\(/.test(body)) return null;
  const alternatives = expand(body);
  if (alternatives === null) return null;
  const paths = alternatives.map((alternative) => alternative.split("/").map(parseSegment));
  return {
    matches(text) {
      const names = text.split("/");
      return paths.some((path) => pathMatches(path, names)) !== isNegated;
    },
  };
}

/** Expands the braces into all patterns; null if there are too many. An unmatched brace is a literal character. */
function expand(pattern: string): string[] | null {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const group = firstGroup(next);
    if (group === null) done.push(next);
    else for (const option of group.options.toReversed()) open.push(`${group.before}${option}${group.after}`);
    if (done.length + open.length > MAX_ALTERNATIVES) return null;
  }
  return done;
}

interface Group {
  readonly before: string;
  readonly options: readonly string[];
  readonly after: string;
}

/** The first closed and complete `{a,b}` or `@(a|b)`. */
function firstGroup(pattern: string): Group | null {
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === "\\") at += 1;
    const opening = pattern.startsWith("@(", at) ? "@(" : pattern[at] === "{" ? "{" : null;
    if (opening === null) continue;
    const inside = splitGroup(pattern, at + opening.length, opening === "{" ? ",{}" : "|()");
    if (inside === null || (opening === "{" && inside.options.length < 2)) continue;
    return { before: pattern.slice(0, at), options: inside.options, after: pattern.slice(inside.end + 1) };
  }
  return null;
}

/** `signs` are the separator, the opening sign of a nested group, and the closing sign of this one. */
function splitGroup(pattern: string, start: number, signs: string): { options: string[]; end: number } | null {
  const [separator, opens, closes] = signs;
  const options: string[] = [];
  let depth = 0;
  let from = start;
  for (let at = start; at < pattern.length; at += 1) {
    const sign = pattern[at];
    if (sign === "\\") at += 1;
    else if (sign === opens) depth += 1;
    else if (sign === closes && depth > 0) depth -= 1;
    else if ((sign === separator && depth === 0) || sign === closes) {
      options.push(pattern.slice(from, at));
      from = at + 1;
      if (sign === closes) return { options, end: at };
    }
  }
  return null;
}

/** One element of a name pattern: any text, any character, or a character that passes a test. */
type Token = "star" | "any" | ((character: string) => boolean);
/** The tokens of one name, or any number of names. */
type Segment = "globstar" | readonly Token[];

function parseSegment(text: string): Segment {
  if (text === "**") return "globstar";
  const tokens: Token[] = [];
  for (const { 0: part } of text.matchAll(/\*+|\?|\[[!^]?\]?[^\]]*\]|\\[\s\S]|[\s\S]/gu)) tokens.push(toToken(part));
  return tokens;
}

function toToken(part: string): Token {
  if (part.startsWith("*")) return "star";
  if (part === "?") return "any";
  if (part.length > 1 && part.startsWith("[")) return characterClass(part);
  const literal = part.length > 1 && part.startsWith("\\") ? part.slice(1) : part;
  return (character) => character === literal;
}

function characterClass(part: string): Token {
  const isNegated = part[1] === "!" || part[1] === "^";
  const ranges = [...part.slice(isNegated ? 2 : 1, -1).matchAll(/\\?([\s\S])(?:-\\?([\s\S]))?/gu)];
  return (character) =>
    ranges.some(([, first = "", last = first]) => character >= first && character <= last) !== isNegated;
}

/**
 * For each segment, from the last, a table of the positions from which the rest matches, so that nothing is tried
 * twice.
 */
function pathMatches(path: readonly Segment[], names: readonly string[]): boolean {
  let after = names.map(() => false).concat(true);
  for (const segment of path.toReversed()) {
    const current: boolean[] = Array(names.length + 1).fill(false);
    for (let at = names.length; at >= 0; at -= 1) {
      const name = names[at];
      if (segment === "globstar") current[at] = after[at] === true || (isName(name) && current[at + 1] === true);
      else current[at] = name !== undefined && after[at + 1] === true && segmentMatches(segment, name);
    }
    after = current;
  }
  return after[0] === true;
}

/** `.` is the root, which only a pattern without a star matches. */
function isName(name: string | undefined): name is string {
  return name !== undefined && name !== "." && name !== "..";
}

function segmentMatches(tokens: readonly Token[], name: string): boolean {
  return (isName(name) || !tokens.includes("star")) && nameMatches(tokens, [...name]);
}

function nameMatches(tokens: readonly Token[], characters: readonly string[]): boolean {
  // A lone star requires a name, and a path has no empty names.
  if (characters.length === 0) return tokens.length === 0;
  let token = 0;
  let at = 0;
  let star = -1;
  let resumeAt = 0;
  while (at < characters.length) {
    const wanted = tokens[token];
    if (wanted === "star") {
      star = token;
      token += 1;
      resumeAt = at;
    } else if (wanted !== undefined && tokenMatches(wanted, characters[at] ?? "")) {
      token += 1;
      at += 1;
    } else if (star >= 0) {
      token = star + 1;
      resumeAt += 1;
      at = resumeAt;
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest === "star");
}

function tokenMatches(token: Exclude<Token, "star">, character: string): boolean {
  return token === "any" || token(character);
}
