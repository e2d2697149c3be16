import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Expression, parseSync, Visitor } from "oxc-parser";

export interface LiteralPattern {
  readonly source: string;
  readonly flags: string;
  /** The key of its verdict. */
  readonly hash: string;
  /** Where it stands: `lib/x.ts:7`. */
  readonly places: readonly string[];
}

/** Formatted code writes a pattern behind one of these; without any, a file need not be parsed. */
const MAY_HAVE_PATTERNS = /(?:^|[\s([!{,])\/(?![/*\s>])/mu;

/** Whether a pattern repeats anything without an end: only such a one can take long on a long text. */
const REPEATS = /[*+]|\{\d+,\}|\{\d+,\d{2,}\}/u;

/** The literal patterns of the server, the pages and their components that repeat something, each once. */
export function findPatterns(root: string): readonly LiteralPattern[] {
  const found = new Map<string, LiteralPattern>();
  for (const file of sourceFiles(root)) {
    for (const pattern of patternsIn(file, readFileSync(path.join(root, file), "utf8"))) {
      const known = found.get(pattern.hash);
      found.set(pattern.hash, known ? { ...known, places: [...known.places, ...pattern.places] } : pattern);
    }
  }
  return [...found.values()];
}

function sourceFiles(root: string): readonly string[] {
  return globSync(["lib/**/*.{ts,tsx}", "app/**/*.{ts,tsx}", "components/**/*.{ts,tsx}", "*.ts"], { cwd: root })
    .map((file) => file.replaceAll(path.sep, "/"))
    .filter((file) => !/\.test\.tsx?$/u.test(file) && !file.includes("/generated/"))
    .toSorted();
}

/** How many patterns each file builds from text at run time. No checker sees these. */
export function countBuiltPatterns(root: string): Readonly<Record<string, number>> {
  const counted = sourceFiles(root).map((file) => {
    return [file, builtPatternsIn(file, readFileSync(path.join(root, file), "utf8"))] as const;
  });
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}

/** How often the file makes a pattern by `RegExp(…)` or `new RegExp(…)`. */
export function builtPatternsIn(file: string, text: string): number {
  if (!text.includes("RegExp(")) return 0;
  let count = 0;
  const look = (callee: Expression) => {
    if (callee.type === "Identifier" && callee.name === "RegExp") count += 1;
  };
  new Visitor({
    NewExpression: ({ callee }) => look(callee),
    CallExpression: ({ callee }) => look(callee),
  }).visit(parseSync(file, text).program);
  return count;
}

/** The literal patterns of one file that repeat something. */
export function patternsIn(file: string, text: string): readonly LiteralPattern[] {
  if (!MAY_HAVE_PATTERNS.test(text)) return [];
  const found: LiteralPattern[] = [];
  new Visitor({
    Literal(node) {
      if (!("regex" in node)) return;
      const { pattern: source, flags } = node.regex;
      if (!REPEATS.test(source)) return;
      const line = text.slice(0, node.start).split("\n").length;
      found.push({ source, flags, hash: hashOf(source, flags), places: [`${file}:${line}`] });
    },
  }).visit(parseSync(file, text).program);
  return found;
}

function hashOf(source: string, flags: string): string {
  return createHash("sha256").update(`/${source}/${flags}`).digest("hex").slice(0, 16);
}
