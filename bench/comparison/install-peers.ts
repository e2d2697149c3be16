import { spawnSync } from "node:child_process";
import { cpSync, lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const PEERS = fileURLToPath(new URL("../peers/", import.meta.url));

/** Copies the peer's files into `folder` and installs exactly the versions in its lock file, without their scripts. */
export function installPeer(peer: string, folder: string): string {
  const place = path.join(folder, peer);
  cpSync(path.join(PEERS, peer), place, { recursive: true });
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], place);
  return place;
}

/** What `mastra build` makes of the folder: the server with its studio and what they need, as it is deployed. */
export function buildMastra(place: string): string {
  run(path.join(place, "node_modules", ".bin", "mastra"), ["build", "--studio"], place);
  return path.join(place, ".mastra", "output");
}

/** Runs a program to its end; its output is shown. Throws if it fails. */
function run(program: string, words: readonly string[], cwd: string): void {
  const env = { ...process.env, MASTRA_TELEMETRY_DISABLED: "1" };
  const { status } = spawnSync(program, words, { cwd, env, stdio: "inherit" });
  if (status !== 0) throw new Error(`${program} ${words.join(" ")} ended with ${status}.`);
}

/** The bytes of all files below a folder, in megabytes of a million. */
export function sizeInMegabytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + lstatSync(path.join(parentPath, name)).size, 0);
  return Math.round(bytes / 1_000_000);
}
