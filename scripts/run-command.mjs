// Runs a program of node_modules with the project's Node.
import { spawn } from "node:child_process";
import path from "node:path";
import { endTogether } from "./end-together.mjs";
import { projectDirectory } from "./prisma-cli.mjs";

/** Runs a script with this Node, showing what it prints; returns its exit code. */
export function runNode(script, scriptArguments, extraEnvironment = {}) {
  const child = endTogether(
    spawn(process.execPath, [path.join(projectDirectory, script), ...scriptArguments], {
      cwd: projectDirectory,
      env: { ...process.env, ...extraEnvironment },
      stdio: ["ignore", "inherit", "inherit"],
    }),
  );
  return new Promise((resolve, reject) => child.once("error", reject).once("close", (code) => resolve(code ?? 1)));
}
