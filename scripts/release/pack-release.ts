// npm run release: writes release/ringmaster-<version>.tgz, which npm installs, and its checksum.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { ensureClients } from "../database/generate-clients";
import { projectDirectory } from "../project-directory";
import { outputOf } from "../run-command";
import { ensureBuild } from "../server/build";
import { Lock, pinDependencies } from "./pin-dependencies";
import { stageClient } from "./stage-client";
import { stageProgram } from "./stage-program";

const Manifest = z.object({
  version: z.string(),
  description: z.string(),
  engines: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
});
const RELEASE = path.join(projectDirectory, "release");
/** Copied beside the manifest if the repository has them. */
const TEXTS = ["README.md", "LICENSE", "CHANGELOG.md"];
/** This file may contain only what an old Node understands. */
const BIN = `#!/usr/bin/env node
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write("Ringmaster needs Node 22.18 or newer; this is " + process.version + " (" + process.execPath + ").\\n");
  process.exit(1);
}
await import("../program/scripts/ringmaster/ringmaster.js");
`;

await ensureClients();
await ensureBuild(() => process.stdout.write("Building the pages …\n"));
const file = await pack();
const checksum = createHash("sha256").update(readFileSync(file)).digest("hex");
writeFileSync(`${file}.sha256`, `${checksum}  ${path.basename(file)}\n`);
process.stdout.write(`Wrote ${path.relative(projectDirectory, file)} (sha256 ${checksum})\n`);

async function pack(): Promise<string> {
  const manifest = Manifest.parse(JSON.parse(readFileSync(path.join(projectDirectory, "package.json"), "utf8")));
  const folder = path.join(RELEASE, "package");
  rmSync(folder, { recursive: true, force: true });
  const program = path.join(folder, "program");
  mkdirSync(program, { recursive: true });
  const packages = await stageProgram(program);
  const { version, description, engines } = manifest;
  const dependencies = Object.fromEntries(packages.map((name) => [name, versionOf(name, manifest.dependencies)]));
  const own = { name: "ringmaster", version, type: "module" };
  const exports = await stageClient(path.join(folder, "client"));
  const files = ["bin", "client", "program", "npm-shrinkwrap.json"];
  const facts = { description, license: "MIT", bin: { ringmaster: "bin/ringmaster.mjs" }, exports, files };
  write(path.join(program, "package.json"), own);
  const lock = Lock.parse(JSON.parse(readFileSync(path.join(projectDirectory, "package-lock.json"), "utf8")));
  const pinned = pinDependencies(lock, { ...own, dependencies });
  write(path.join(folder, "package.json"), { ...own, ...facts, engines, ...pinned.packages[""] });
  write(path.join(folder, "npm-shrinkwrap.json"), pinned);
  mkdirSync(path.join(folder, "bin"));
  writeFileSync(path.join(folder, "bin", "ringmaster.mjs"), BIN, { mode: 0o755 });
  for (const name of TEXTS.filter((text) => existsSync(path.join(projectDirectory, text)))) {
    writeFileSync(path.join(folder, name), readFileSync(path.join(projectDirectory, name)));
  }
  await outputOf("npm", ["pack", "--pack-destination", RELEASE], { cwd: folder });
  return path.join(RELEASE, `ringmaster-${version}.tgz`);
}

function versionOf(name: string, dependencies: Readonly<Record<string, string>>): string {
  const version = dependencies[name];
  if (version === undefined) throw new Error(`The program imports ${name}, which package.json does not name.`);
  return version;
}

function write(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
