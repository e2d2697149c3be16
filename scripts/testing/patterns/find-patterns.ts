import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";

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

/** The literal patterns of `lib` and `app` that repeat something, each once. */
export function findPatterns(root: string): readonly LiteralPattern[] {
  const files = globSync(["lib/**/*.{ts,tsx}", "app/**/*.{ts,tsx}"], { cwd: root })
    .map((file) => file.replaceAll(path.sep, "/"))
    .filter((file) => !/\.test\.tsx?$/u.test(file) && !file.includes("/generated/"));
  const found = new Map<string, LiteralPattern>();
  for (const file of files.toSorted()) {
    for (const pattern of patternsIn(file, readFileSync(path.join(root, file), "utf8"))) {
      const known = found.get(pattern.hash);
      found.set(pattern.hash, known ? { ...known, places: [...known.places, ...pattern.places] } : pattern);
    }
  }
  return [...found.values()];
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
