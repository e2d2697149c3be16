import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Whether the module at `url` is the program that was started. `import.meta.main` exists only from Node 24 on. */
export function isMain(url: string, program = process.argv[1]): boolean {
  return program !== undefined && realpathSync(program) === fileURLToPath(url);
}
