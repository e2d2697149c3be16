// Next writes a module into each chunk of its build that needs it, and the server then keeps its source and its
// compiled code once for each. Here every module stands in one file, from which its chunks take it.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "rolldown/utils";

/** Where a module's function stands in its chunk. */
type Place = { start: number; end: number };
type Chunk = { file: string; code: string; modules: Place[] };

/** A shorter one stays where it is: what it takes to fetch it is no less. */
const SHORTEST_SHARED = 200;
/** What means something else in another file. */
const BOUND_TO_ITS_FILE = /\b(?:__dirname|__filename)\b|\brequire\(["'`]\./;

/**
 * Rewrites those of the files that are chunks (`module.exports = [id, function, …]`) and have modules in common, and
 * writes the common ones to `folder`. Modules of the same chunks share a file, so that no chunk loads more than before.
 */
export function shareModules(files: readonly string[], folder: string): void {
  const chunks = files.flatMap(readChunk);
  mkdirSync(folder, { recursive: true });
  const sources = new Map<string, { file: string; index: number }>();
  for (const [name, texts] of groupShared(chunks)) {
    const file = path.join(folder, `${name}.js`);
    writeFileSync(file, `module.exports=[${texts.join(",")}]`);
    for (const [index, text] of texts.entries()) sources.set(text, { file, index });
  }
  for (const chunk of chunks) writeFileSync(chunk.file, withoutShared(chunk, sources));
}

/** The texts of modules that several chunks contain, by a name for those chunks. */
function groupShared(chunks: readonly Chunk[]): Map<string, string[]> {
  const owners = new Map<string, Set<string>>();
  for (const chunk of chunks) {
    for (const text of textsOf(chunk)) owners.set(text, (owners.get(text) ?? new Set()).add(chunk.file));
  }
  const groups = new Map<string, string[]>();
  for (const [text, files] of owners) {
    if (files.size === 1) continue;
    const name = createHash("sha256")
      .update([...files].join("\n"))
      .digest("hex")
      .slice(0, 16);
    groups.set(name, [...(groups.get(name) ?? []), text]);
  }
  return groups;
}

function textsOf({ code, modules }: Chunk): string[] {
  return modules.map(({ start, end }) => code.slice(start, end));
}

function withoutShared(chunk: Chunk, sources: ReadonlyMap<string, { file: string; index: number }>): string {
  let code = "";
  let copied = 0;
  for (const { start, end } of chunk.modules) {
    const source = sources.get(chunk.code.slice(start, end));
    if (source === undefined) continue;
    const relative = path.relative(path.dirname(chunk.file), source.file).split(path.sep).join("/");
    code += `${chunk.code.slice(copied, start)}require("./${relative}")[${source.index}]`;
    copied = end;
  }
  return code + chunk.code.slice(copied);
}

/** Nothing for a file in another form. */
function readChunk(file: string): Chunk[] {
  const code = readFileSync(file, "utf8");
  if (!code.startsWith("module.exports=[")) return [];
  const [statement] = parseSync(file, code, { preserveParens: false }).program.body;
  if (statement?.type !== "ExpressionStatement" || statement.expression.type !== "AssignmentExpression") return [];
  const { right } = statement.expression;
  if (right.type !== "ArrayExpression") return [];
  const modules = right.elements
    .filter((element) => element !== null && /Function/.test(element.type))
    .map((element) => ({ start: element?.start ?? 0, end: element?.end ?? 0 }))
    .filter(({ start, end }) => end - start >= SHORTEST_SHARED && !BOUND_TO_ITS_FILE.test(code.slice(start, end)));
  return [{ file, code, modules }];
}
