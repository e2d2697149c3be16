import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { SEARCH_PATH as SYSTEM_PATH } from "@/lib/workspaces/sandbox/sandbox-launcher";

/** The search path for programs; last the folder of this server's own Node.js. */
export const SEARCH_PATH = `${SYSTEM_PATH}:${path.dirname(process.execPath)}`;

/** The absolute path of an installed program; null if there is none. */
export function resolveCommand(command: string): string | null {
  if (command.includes("/")) return path.isAbsolute(command) && isProgram(command) ? command : null;
  for (const folder of SEARCH_PATH.split(":")) {
    const candidate = path.join(folder, command);
    if (isProgram(candidate)) return candidate;
  }
  return null;
}

const DOWNLOADERS = /^(?:npx|pnpx|bunx|uvx|pipx)$/;
const DOWNLOADING = /^(?:npm|pnpm|yarn|bun|uv) (?:x|exec|dlx|tool|run) /;

/** Whether the command would download the server from a registry on each start. */
export function downloads(command: string, args: readonly string[]): boolean {
  const name = path.basename(command);
  return DOWNLOADERS.test(name) || DOWNLOADING.test(`${name} ${args[0] ?? ""} `);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
