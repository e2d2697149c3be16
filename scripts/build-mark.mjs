// When is .next current? When its mark holds the hash of everything that goes into it.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { endTogether } from "./end-together.mjs";
import { projectDirectory } from "./prisma-cli.mjs";

const SOURCES = [
  "{app,components,lib,public,prisma}/**/*.{ts,tsx,css,mjs,json,md,svg,png,ico,woff2,prisma}",
  "*.{ts,mjs,json}",
];
const IGNORED = /\.test\.tsx?$|^lib\/(testing|server\/generated)\/|^next-env\.d\.ts$|^(biome|vitest|playwright)\b/;
const MARK = path.join(projectDirectory, ".next", "made-from");

/** Builds unless the build is complete and made from exactly these sources; calls `announce` before it builds. */
export async function ensureBuild(announce = () => undefined) {
  const hash = sourceHash();
  if (existsSync(MARK) && readFileSync(MARK, "utf8") === hash) return;
  announce();
  // The mark is written last: a build that was cut off has none and is made again.
  rmSync(MARK, { force: true });
  await runBuild();
  writeFileSync(MARK, hash);
}

/** The hash that the present sources would leave in the mark. */
export function sourceHash() {
  const hash = createHash("sha256").update(process.version);
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: projectDirectory })).filter(
    // A route's folder may end like a file: app/api/openapi.json.
    (file) => !IGNORED.test(file) && statSync(path.join(projectDirectory, file)).isFile(),
  );
  for (const file of files.sort())
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(path.join(projectDirectory, file)));
  return hash.digest("hex");
}

async function runBuild() {
  const next = path.join(projectDirectory, "node_modules/next/dist/bin/next");
  const environment = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  const options = { cwd: projectDirectory, env: environment, stdio: ["ignore", "pipe", "pipe"] };
  const child = endTogether(spawn(process.execPath, [next, "build"], options));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(`next build failed:\n${output}`);
}
