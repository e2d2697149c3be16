import { RE2JS } from "re2js";
import { WorkspaceError } from "@/lib/agent/workspace/workspace";

/** A compiled glob. `matches` gets a path relative to `base`, the literal folder at the start of the pattern. */
export interface GlobPattern {
  readonly base: string;
  /** The pattern below `base` in ripgrep syntax. */
  readonly ripgrep: string;
  matches(path: string): boolean;
}

const MAX_PATTERN_CHARS = 500;
/** RE2's time per path is proportional to this times the path's length. */
const MAX_PROGRAM_SIZE = 1_500;
const SPECIAL = /[*?[\]{}\\]/;

/**
 * Translates a glob to RE2, which is linear whatever the model writes; glob libraries build JavaScript regexes, which
 * `*a*a*a*a*b` can block for minutes. Supports `*`, `**`, `?`, `[a-z]`, `[!a]`, `{a,b}` and `\`. Without a slash it
 * matches the file name at any depth.
 */
export function compileGlob(pattern: string): GlobPattern {
  const glob = pattern.replace(/^(\.?\/)+/, "").replace(/\/(?:\.?\/)+/g, "/");
  if (glob === "" || glob.length > MAX_PATTERN_CHARS || /\p{Cc}/u.test(glob)) {
    throw new WorkspaceError("invalid_pattern", `A glob needs 1 to ${MAX_PATTERN_CHARS} printable characters.`);
  }
  if (glob.split("/").includes("..")) throw new WorkspaceError("invalid_pattern", 'A glob must not contain "..".');
  const base = literalFolder(glob);
  const rest = base === "" ? glob : glob.slice(base.length + 1);
  const anywhere = !glob.includes("/");
  const regex = compileRegex(`${anywhere ? "(?:.*/)?" : ""}${translate(rest)}`, pattern);
  return { base, ripgrep: anywhere ? rest : `/${rest}`, matches: (path) => regex.matches(path) };
}

function compileRegex(source: string, pattern: string): RE2JS {
  try {
    const regex = RE2JS.compile(source, RE2JS.DOTALL);
    if (regex.programSize() <= MAX_PROGRAM_SIZE) return regex;
    throw new WorkspaceError("invalid_pattern", "The glob is too complex.");
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
    throw new WorkspaceError("invalid_pattern", `The glob ${JSON.stringify(pattern)} is not valid.`);
  }
}

/** The folders before the first special character. */
function literalFolder(glob: string): string {
  const special = glob.search(SPECIAL);
  const literal = special === -1 ? glob : glob.slice(0, special);
  return literal.slice(0, Math.max(0, literal.lastIndexOf("/")));
}

/** The tokens of a glob, longest first; any other character matches itself. */
const TOKEN = /\*\*\/|\*+|\?|\[[!^]?\]?[^\]/]*\]|\\[\s\S]|[{},]|[\s\S]/g;

function translate(glob: string): string {
  const braces = glob.split("{").length === glob.split("}").length;
  let depth = 0;
  let result = "";
  for (const { 0: token, index } of glob.matchAll(TOKEN)) {
    if (token === "{" && braces) {
      depth += 1;
      result += "(?:";
    } else if (token === "}" && depth > 0) {
      depth -= 1;
      result += ")";
    } else {
      result += token === "," && depth > 0 ? "|" : translateToken(token, glob, index);
    }
  }
  return result;
}

function translateToken(token: string, glob: string, index: number): string {
  const startsSegment = index === 0 || "/{,".includes(glob[index - 1] ?? "");
  if (token === "**/") return startsSegment ? "(?:[^/]+/)*" : "[^/]*/";
  if (token === "**" && startsSegment && index + 2 === glob.length) return ".+";
  if (token.startsWith("*")) return "[^/]*";
  if (token === "?") return "[^/]";
  return translateLiteral(token);
}

function translateLiteral(token: string): string {
  if (token.length === 1) return RE2JS.quote(token);
  return token.startsWith("[") ? translateClass(token) : RE2JS.quote(token.slice(1));
}

function translateClass(token: string): string {
  const negated = token[1] === "!" || token[1] === "^";
  const body = token.slice(negated ? 2 : 1, -1).replace(/[\\[\]^&~]/g, "\\$&");
  return negated ? `[^/${body}]` : `[${body}]`;
}
