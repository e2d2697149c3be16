/** Joins `folder` and `name`; "" is the root. */
export function joinPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

export function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The folders above `path`, outermost first, without the root: `a`, `a/b` for `a/b/c`. */
export function parentPaths(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** The order of a walk that visits each folder's entries by name: `a/x` before `a-b`. */
export function comparePaths(left: string, right: string): number {
  const leftParts = left.split("/");
  const rightParts = right.split("/");
  const index = leftParts.findIndex((part, at) => part !== rightParts[at]);
  if (index === -1) return leftParts.length - rightParts.length;
  return compareNames(leftParts[index] ?? "", rightParts[index] ?? "");
}

export function compareNames(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

const SKIPPED_FOLDERS = new Set(["node_modules", "__pycache__", "bower_components", "venv", "site-packages"]);

/** Folders that a search enters only if named: tool output, and dot folders. */
export function isSkippedFolder(name: string): boolean {
  return name.startsWith(".") || SKIPPED_FOLDERS.has(name);
}

/** The same list as ripgrep globs. */
export const SKIPPED_FOLDER_GLOBS = [".*", ...SKIPPED_FOLDERS].map((name) => `!${name}/`);

/**
 * Names with line breaks or escapes can be listed, but not worked with; names with a broken encoding can't even be
 * listed.
 */
export function isUsableName(name: string): boolean {
  return !/[\p{Cc}\uFFFD]/u.test(name);
}
