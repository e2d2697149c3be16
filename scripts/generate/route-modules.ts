import { globSync, readFileSync } from "node:fs";
import path from "node:path";

const METHOD = /^export const (GET|POST|PUT|PATCH|DELETE)\b/gm;
const FOLDER = "app/api/openapi.json";

/** A route file of `app`: its URL as the access table writes it, its methods, its path in the project. */
export interface RouteFile {
  readonly url: string;
  readonly methods: readonly string[];
  readonly file: string;
}

/** The route files below `directory`, but for those that only answer what is unknown, in the order of their URLs. */
export function readRouteFiles(directory: string): RouteFile[] {
  return globSync("app/**/route.ts", { cwd: directory })
    .filter((file) => !file.includes("[...path]"))
    .map((file) => ({
      file: file.replaceAll(path.sep, "/"),
      url: path.posix.dirname(
        file
          .replaceAll(path.sep, "/")
          .replace(/^app/, "")
          .replaceAll(/\([^)/]+\)\//g, ""),
      ),
      methods: [...readFileSync(path.join(directory, file), "utf8").matchAll(METHOD)].map(([, method = ""]) => method),
    }))
    .toSorted((a, b) => (a.url < b.url ? -1 : 1));
}

/**
 * The module that lists every route for the OpenAPI document. Throws when a route has no line in `access`, or a line
 * has no route: who may call it is decided by hand.
 */
export function routeModules(routes: readonly RouteFile[], access: Readonly<Record<string, unknown>>): string {
  const names = routes.flatMap(({ url, methods }) => methods.map((method) => `${method} ${url}`));
  const undecided = names.filter((name) => !Object.hasOwn(access, name));
  const gone = Object.keys(access).filter((name) => !names.includes(name));
  if (undecided.length > 0) throw new Error(`Decide in lib/server/http/access.ts who may call ${some(undecided)}.`);
  if (gone.length > 0) throw new Error(`lib/server/http/access.ts names routes that do not exist: ${some(gone)}.`);
  // The document's own route lists itself: its module imports this one.
  const listed = routes.filter(({ file }) => path.posix.dirname(file) !== FOLDER);
  const imports = listed.map(({ file, url }) => {
    const from = path.posix.relative(FOLDER, file).replace(/\.ts$/, "");
    return `import * as ${identifierOf(url)} from "${from}";`;
  });
  const entries = listed.map(({ url }) => `  "${url}": ${identifierOf(url)},`);
  return [
    "// Written by `npm run generate`.",
    ...imports,
    "",
    "/** Every other route of the app by its path. */",
    "export const ROUTE_MODULES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {",
    ...entries,
    "};",
    "",
  ].join("\n");
}

/** A name of its own for each URL, so that a new route changes no other line: `/api/runs/[runId]` is apiRunsRunId. */
function identifierOf(url: string): string {
  const [first = "", ...others] = url.match(/\w+/g) ?? [];
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** The first names of a list, and how many more there are. */
function some(names: readonly string[]): string {
  const [shown, more] = [names.slice(0, 5).join(", "), names.length - 5];
  return more > 0 ? `${shown} and ${more} more` : shown;
}
