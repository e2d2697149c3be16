import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../scripts/free-port";
import { projectDirectory } from "../../scripts/project-directory";

/** Packs the release, unless `file` names one, and installs it in a folder as its users do. */
export function installRelease(folder: string, file?: string): void {
  if (file === undefined) run("npm", ["run", "--silent", "release"], projectDirectory);
  const [packed = ""] = file === undefined ? globSync("release/ringmaster-*.tgz", { cwd: projectDirectory }) : [file];
  const words = ["install", "--no-audit", "--no-fund", "--prefer-offline", "--prefix", folder];
  run("npm", [...words, path.resolve(projectDirectory, packed)], folder);
}

function run(program: string, words: readonly string[], cwd: string): void {
  const { status } = spawnSync(program, words, { cwd, stdio: "inherit" });
  if (status !== 0) throw new Error(`${program} ${words.join(" ")} ended with ${status}.`);
}

/** Starts the release that is installed in the folder, with nothing of this process's environment. */
export async function startRelease(folder: string, variables: Readonly<Record<string, string>>) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { NODE_ENV: "production" as const, PATH: process.env.PATH, HOME: folder, ...variables };
  const began = performance.now();
  const bin = path.join(folder, "node_modules", "ringmaster", "bin", "ringmaster.mjs");
  const server = spawn(process.execPath, [bin, "--port", String(port)], { cwd: folder, env, stdio: "ignore" });
  await untilAnswered(server, `${url}/health`);
  return { server, url, startedMs: performance.now() - began };
}

/** Waits until the address answers with success. Throws if the server ends before. */
export async function untilAnswered(server: ChildProcess, address: string): Promise<void> {
  while ((await fetch(address).catch(() => null))?.ok !== true) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}.`);
    await sleep(50);
  }
}

export async function stopServer(server: ChildProcess): Promise<void> {
  const ended = once(server, "close");
  server.kill("SIGTERM");
  await ended;
}
