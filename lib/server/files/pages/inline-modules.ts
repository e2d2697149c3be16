import { DocumentRefused } from "@/lib/server/files/documents/document";
import { resolveIn } from "./addresses";
import { checkPageSize } from "./page-limits";
import { type Replacement, replaceFound } from "./replace-found";

/** A module in a module is encoded once for each level: each takes a third more. */
const MAX_LEVELS = 8;

/**
 * A module with its imports as data URLs, which load without a network; modules in an import cycle are left as they
 * are. Throws DocumentRefused if they nest too deeply or grow too large.
 */
export async function inlineModules(
  code: string,
  path: string,
  read: (path: string) => Promise<string | null>,
  above: readonly string[] = [],
): Promise<string> {
  const around = [...above, path];
  return replaceFound(code, /\b(?:from|import)\b/gu, async (at) => {
    const found = readSpecifier(code, at, code.startsWith("import", at - 6));
    const inner = found === null ? null : resolveIn(path, found.href);
    const text = inner === null || around.includes(inner) ? null : await read(inner);
    if (found === null || inner === null || text === null) return null;
    if (around.length > MAX_LEVELS) {
      throw new DocumentRefused(`Its modules import each other more than ${MAX_LEVELS} levels deep.`);
    }
    const module = Buffer.from(await inlineModules(text, inner, read, around)).toString("base64");
    checkPageSize(module.length);
    return { end: found.end, text: `${found.before}data:text/javascript;base64,${module}${found.quote}` };
  });
}

interface Specifier extends Pick<Replacement, "end"> {
  /** The word and what comes before the address, with its quotation mark. */
  readonly before: string;
  readonly quote: string;
  readonly href: string;
}

/** `at` is behind `from` or `import`. Only addresses that name a file are read: `./a.js`, `/a.js`. */
function readSpecifier(code: string, at: number, isImport: boolean): Specifier | null {
  let start = skipSpace(code, at);
  if (isImport && code[start] === "(") start = skipSpace(code, start + 1);
  const quote = code.charAt(start);
  if (quote !== '"' && quote !== "'") return null;
  let end = start + 1;
  while (end < code.length && !/["'\n]/u.test(code.charAt(end))) end += 1;
  const href = code.slice(start + 1, end);
  if (code[end] !== quote || !/^\.{0,2}\/./u.test(href)) return null;
  return { before: code.slice(at - (isImport ? 6 : 4), start + 1), quote, href, end: end + 1 };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/\s/u.test(text.charAt(at))) at += 1;
  return at;
}
