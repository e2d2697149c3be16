// The folder of ringmaster/client: one module that imports nothing, and the declarations of its types.
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { rolldown } from "rolldown";
import { projectDirectory } from "../project-directory";
import { outputOf } from "../run-command";

const SOURCES = path.join(projectDirectory, "lib", "api-client");
const ENTRY = "ringmaster-client";
const COMPILER = path.join(projectDirectory, "node_modules", "typescript", "bin", "tsc");
const COMPILED = ["--declaration", "--emitDeclarationOnly", "--ignoreConfig", "--strict", "--skipLibCheck"];
const LANGUAGE = ["--target", "es2024", "--lib", "es2024,dom", "--module", "esnext", "--moduleResolution", "bundler"];

/** Fills `target`, the folder `client` of a package; returns the package's exports. */
export async function stageClient(target: string) {
  const build = await rolldown({ input: path.join(SOURCES, `${ENTRY}.ts`), platform: "neutral" });
  await build.write({ file: path.join(target, `${ENTRY}.js`), format: "esm" });
  await build.close();
  const compiler = [COMPILER, path.join(SOURCES, `${ENTRY}.ts`), ...COMPILED, ...LANGUAGE, "--outDir", target];
  await outputOf(process.execPath, compiler, {});
  // Nothing that is exported names it, and it names a package.
  rmSync(path.join(target, "follow-events.d.ts"));
  copyFileSync(path.join(SOURCES, "routes.ts"), path.join(target, "routes.d.ts"));
  for (const file of globSync("*.d.ts", { cwd: target })) nameFully(path.join(target, file));
  const place = `./${path.basename(target)}/${ENTRY}`;
  return { "./client": { types: `${place}.d.ts`, default: `${place}.js` }, "./package.json": "./package.json" };
}

/** As Node resolves modules, an import names a file. */
function nameFully(file: string): void {
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replaceAll(/from "(\.\/[\w-]+)"/g, 'from "$1.js"'));
}
