import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { projectDirectory } from "../project-directory";

const SYSTEM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const SYSTEM_SHELL = "/usr/bin/chromium-headless-shell";

/** Path of Chromium's shell where the machine has it: the same pages with a quarter less processor time. */
export async function findShell(): Promise<string> {
  return existsSync(SYSTEM_SHELL) ? SYSTEM_SHELL : await findChromium();
}

/** Path of a Chromium: the system's, otherwise the one in e2e/package.json, which is installed on first use. */
export async function findChromium(): Promise<string> {
  const installed = SYSTEM.find((file) => existsSync(file));
  if (installed !== undefined) return installed;
  const directory = path.join(projectDirectory, "e2e");
  if (!existsSync(path.join(directory, "node_modules/@sparticuz/chromium"))) {
    process.stdout.write("No Chromium on this machine: installing the one of e2e/package.json …\n");
    const result = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: directory, stdio: "inherit" });
    if (result.status !== 0) throw new Error("Could not install a Chromium: apt-get install chromium");
  }
  const require = createRequire(path.join(directory, "package.json"));
  const { default: chromium } = await import(require.resolve("@sparticuz/chromium"));
  return chromium.executablePath();
}
