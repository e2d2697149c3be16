import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { type ParamPattern, parseSync, type Statement } from "oxc-parser";

/** What a parameter is called that takes a text of any length; ids, names, paths and the like are short. */
const TEXT_NAMES = new Set([
  ...[
    "text",
    "texts",
    "html",
    "markdown",
    "css",
    "yaml",
    "json",
    "source",
    "patch",
    "body",
    "raw",
    "rawArgs",
    "written",
  ],
  ...[
    "line",
    "lines",
    "header",
    "value",
    "subject",
    "sentence",
    "page",
    "words",
    "said",
    "output",
    "answer",
    "content",
  ],
  ...["message", "command", "expression", "pattern", "query", "cell", "base", "before", "after", "theirs", "mine"],
  ...["piece", "chunk", "given", "href", "address", "url", "notice", "error", "heading", "template", "userAgent"],
]);
const TEXT_TYPE = /^(?:string|readonly string\[\])(?: \| null)?(?: \| undefined)?$/;

/** Exported functions that answer at once and take a text, as `file#function`. */
export function findReaders(root: string): readonly string[] {
  return globSync("lib/**/*.{ts,tsx}", { cwd: root })
    .map((file) => file.replaceAll(path.sep, "/"))
    .filter((file) => !/\.test\.tsx?$/u.test(file) && !file.startsWith("lib/testing/") && !file.includes("/generated/"))
    .flatMap((file) => readersIn(file, readFileSync(path.join(root, file), "utf8")))
    .toSorted();
}

export function readersIn(file: string, code: string): readonly string[] {
  const { program } = parseSync(file, code);
  return program.body.flatMap((statement) => {
    const found = exportedFunctions(statement).filter(({ params }) => params.some((one) => isText(one, code)));
    return [...new Set(found.map(({ name }) => `${file}#${name}`))];
  });
}

interface Exported {
  readonly name: string;
  readonly params: readonly ParamPattern[];
}

function exportedFunctions(statement: Statement | { readonly type: string }): readonly Exported[] {
  if (statement.type !== "ExportNamedDeclaration" || !("declaration" in statement)) return [];
  const { declaration } = statement;
  if (declaration?.type === "FunctionDeclaration" && declaration.id) {
    return declaration.async ? [] : [{ name: declaration.id.name, params: declaration.params }];
  }
  if (declaration?.type !== "VariableDeclaration") return [];
  return declaration.declarations.flatMap(({ id, init }) => {
    const isFunction = init?.type === "ArrowFunctionExpression" || init?.type === "FunctionExpression";
    return isFunction && !init.async && id.type === "Identifier" ? [{ name: id.name, params: init.params }] : [];
  });
}

function isText(param: ParamPattern, code: string): boolean {
  const given = param.type === "AssignmentPattern" ? param.left : param;
  if (given.type !== "Identifier" || !TEXT_NAMES.has(given.name) || !given.typeAnnotation) return false;
  const { start, end } = given.typeAnnotation.typeAnnotation;
  return TEXT_TYPE.test(code.slice(start, end));
}
