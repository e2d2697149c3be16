import { existsSync } from "node:fs";
import path from "node:path";

/** Absolute path of the folder that package.json is in. In a release the file is built into another one, deeper down. */
export const projectDirectory = above(import.meta.dirname);

function above(folder: string): string {
  return existsSync(path.join(folder, "package.json")) ? folder : above(path.dirname(folder));
}
