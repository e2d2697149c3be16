import "server-only";
import { readFile } from "node:fs/promises";
import path from "node:path";

const texts = new Map<string, Promise<string>>();

/** A file of an installed package that is sent to browsers unchanged, e.g. `name/dist/bundle.js`; read once. */
export function packageText(file: string): Promise<string> {
  const known = texts.get(file) ?? readFile(path.join(process.cwd(), "node_modules", file), "utf8");
  texts.set(file, known);
  return known;
}
