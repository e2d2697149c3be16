// npm run test:extensions [-- <folder or name>]: runs the tests of extensions with Node's own test runner.
import { spawn } from "node:child_process";
import { existsSync, globSync, statSync } from "node:fs";
import path from "node:path";
import { env } from "@/lib/server/platform/env";
import { commandEnvironment } from "../command-environment";
import { projectDirectory } from "../project-directory";

const wanted = process.argv[2];
const calledFrom = process.env.INIT_CWD ?? process.cwd();
commandEnvironment();
const folder = path.join(env().dataDirectory, "extensions");
const files = findTests();
if (files.length === 0) {
  process.stderr.write(
    `There is no test in ${wanted ?? folder}. Make an extension with: npm run new:extension <name>\n`,
  );
  process.exitCode = 1;
} else {
  const register = path.join(projectDirectory, "scripts/extensions/register-ringmaster.ts");
  const child = spawn(process.execPath, ["--import", register, "--test", ...files], { stdio: "inherit" });
  child.once("close", (code) => {
    process.exitCode = code ?? 1;
  });
}

/** The tests of a folder, of an extension by its name, or of all extensions in the data directory. */
function findTests(): string[] {
  if (wanted === undefined) return testsIn(folder);
  const given = path.resolve(calledFrom, wanted);
  if (existsSync(given)) return statSync(given).isDirectory() ? testsIn(given) : [given];
  const named = path.join(folder, wanted);
  if (existsSync(named)) return testsIn(named);
  return existsSync(`${named}.test.ts`) ? [`${named}.test.ts`] : [];
}

function testsIn(directory: string): string[] {
  return globSync("**/*.test.ts", { cwd: directory, exclude: (name) => name === "node_modules" }).map((name) =>
    path.join(directory, name),
  );
}
