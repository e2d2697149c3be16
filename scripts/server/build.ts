// npm run build. When is .next current? When its mark holds the hash of everything that goes into it.
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ensureClients } from "../database/generate-clients";
import { isMain } from "../is-main";
import { projectDirectory } from "../project-directory";
import { outputOf } from "../run-command";

const SOURCES = [
  "{app,components,lib,public,prisma}/**/*.{ts,tsx,css,mjs,json,md,svg,png,ico,woff2,prisma}",
  "*.{ts,mjs,json}",
];
const IGNORED =
  /\.test\.tsx?$|^lib\/(testing|server\/platform\/db\/generated)\/|^next-env\.d\.ts$|^(biome|vitest|playwright)\b/;
const MARK = path.join(projectDirectory, ".next", "made-from");

/** Builds unless the build is complete and comes from exactly these sources; calls `announce` before it builds. */
export async function ensureBuild(announce: () => void = () => undefined): Promise<void> {
  const hash = sourceHash();
  if (existsSync(MARK) && readFileSync(MARK, "utf8") === hash) return;
  announce();
  // The mark is written last: an interrupted build has none and is repeated.
  rmSync(MARK, { force: true });
  const next = path.join(projectDirectory, "node_modules/next/dist/bin/next");
  const environment = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" } as const;
  await outputOf(process.execPath, [next, "build"], { cwd: projectDirectory, env: environment });
  writeFileSync(MARK, hash);
}

/** The hash that the current sources would leave in the mark. */
function sourceHash(): string {
  const hash = createHash("sha256").update(process.version);
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: projectDirectory })).filter(
    // A route's folder may be named like a file: app/api/openapi.json.
    (file) => !IGNORED.test(file) && statSync(path.join(projectDirectory, file)).isFile(),
  );
  for (const file of files.sort())
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(path.join(projectDirectory, file)));
  return hash.digest("hex");
}

if (isMain(import.meta.url)) {
  await ensureClients();
  await ensureBuild(() => process.stdout.write("Building …\n"));
  process.stdout.write("The build in .next is current.\n");
}
