import { existsSync } from "node:fs";
import path from "node:path";

const RESOLVER = path.join("scripts", "resolve-imports.ts");

/**
 * The file of a program that runs outside the server's bundle, by its path without extension, relative to the server's
 * working directory: its source in a clone, what was built of it in a release.
 */
export function programFile(name: string): string {
  return isBuilt() ? `${name}.js` : `${name}.ts`;
}

/** What Node needs before the file: sources import each other without extensions. */
export function programOptions(): string[] {
  return isBuilt() ? [] : ["--import", `./${RESOLVER}`];
}

function isBuilt(): boolean {
  return !existsSync(path.resolve(RESOLVER));
}
