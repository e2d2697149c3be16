// Where the program is, and where what belongs to an installation is. In a clone both are the project's folder; what a
// release installs must not be written to, so there the caller's folder is the installation's.
import { existsSync } from "node:fs";
import path from "node:path";
import { projectDirectory } from "./project-directory";

/** Whether this program was built for a release; a clone has sources. */
export const isRelease = !existsSync(path.join(projectDirectory, "scripts", "resolve-imports.ts"));

const RELEASE_DATA = "ringmaster-data";

/** The folder in which the command was typed: npm scripts run in the project's, and name it. */
export function callerDirectory(): string {
  return isRelease ? process.cwd() : (process.env.INIT_CWD ?? process.cwd());
}

/**
 * Reads the installation's .env, decides where its data is (`data` is relative to the caller's folder), and makes the
 * program's folder the working directory, where it finds its own files.
 */
export function enterProgram(data?: string): void {
  const home = isRelease ? process.cwd() : projectDirectory;
  const settings = path.join(home, ".env");
  if (existsSync(settings) && process.env.RINGMASTER_NO_DOTENV !== "1") process.loadEnvFile(settings);
  if (data !== undefined) process.env.RINGMASTER_DATA_DIR = path.resolve(callerDirectory(), data);
  if (isRelease) {
    process.env.RINGMASTER_DATA_DIR = path.resolve(home, process.env.RINGMASTER_DATA_DIR ?? RELEASE_DATA);
    const [, file] = /^file:(.+)$/.exec(process.env.DATABASE_URL ?? "") ?? [];
    if (file !== undefined) process.env.DATABASE_URL = `file:${path.resolve(home, file)}`;
  }
  process.chdir(projectDirectory);
}

/** How a person types `command` here: with the program that a release installs, or as an npm script of the clone. */
export function typed(command: string): string {
  if (isRelease) return `ringmaster ${command}`;
  return command === "start" ? "npm start" : `npm run ringmaster -- ${command}`;
}
