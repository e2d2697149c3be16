// The folder that a release installs as its program: Next's build, the programs beside it, migrations and samples. It
// holds no links, because npm packs none.
import { cpSync, existsSync, globSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { rolldown } from "rolldown";
import { z } from "zod";
import { projectDirectory } from "../project-directory";
import { bundlePrograms } from "./bundle-programs";
import { minifyCode } from "./minify-code";
import { shareModules } from "./share-modules";

const BUILD = path.join(projectDirectory, ".next");
/** Of these packages a release brings the files that a server reads; whole, they are four times its size. */
const TRACED = /^(?:next|@next\/.+|@swc\/.+|styled-jsx|client-only|react|react-dom|@prisma\/.+)$/;
/** What Next looks for when it starts, to let plugins of a build use it. */
const LOOKED_FOR = ["next/dist/compiled/webpack", "next/dist/compiled/@babel/runtime"];
/** The files that one part of the build reads, relative to the list. */
const Trace = z.object({ files: z.array(z.string()) });
/** Served to frames as they are (`packageText`). */
const SERVED = ["@mermaid-js/tiny/dist/mermaid.tiny.js", "unpdf/dist/pdfjs.mjs"];
/** Next's own parts of the build; the others are caches, reports and the server that it would start. */
const BUILT = /^(?:server|static|BUILD_ID|.+\.json)$/;
/** What the pages do not need to run: traces of files, source maps, types. */
const NEEDLESS = /\.(?:nft\.json|map|d\.[cm]?ts)$/;

/** Fills `target`; returns the packages that the program imports and does not bring. */
export async function stageProgram(target: string): Promise<string[]> {
  for (const name of readdirSync(BUILD).filter((built) => BUILT.test(built))) {
    copy(path.join(BUILD, name), path.join(target, ".next", name));
  }
  for (const file of tracedFiles()) copy(inProject(file), path.join(target, file));
  for (const name of LOOKED_FOR) copy(inProject("node_modules", name), path.join(target, "node_modules", name));
  for (const file of SERVED) copy(inProject("node_modules", file), path.join(target, "node_modules", file));
  for (const provider of ["sqlite", "postgresql"]) {
    copy(inProject("prisma", provider, "migrations"), path.join(target, "prisma", provider, "migrations"));
  }
  for (const file of ["README.md", "guide", "reference"])
    copy(inProject("docs", file), path.join(target, "docs", file));
  copy(inProject("examples", "skills"), path.join(target, "examples", "skills"));
  copy(inProject("public"), path.join(target, "public"));
  await writeConfig(target);
  const outside = namePlainly(path.join(target, ".next", "server"));
  const server = path.join(target, ".next", "server");
  const runtimes = path.join(target, "node_modules", "next", "dist", "compiled", "next-server");
  await minifyCode([server, runtimes].flatMap(scriptsIn), false);
  shareModules(scriptsIn(server), path.join(server, "chunks", "shared"));
  const imported = await bundlePrograms(target);
  await minifyCode(
    ["lib", "scripts"].flatMap((folder) => scriptsIn(path.join(target, folder))),
    true,
  );
  // What only the programs need of them no part of Next's build names.
  for (const name of imported.filter((known) => TRACED.test(known))) {
    const place = path.join(target, "node_modules", name);
    if (!existsSync(place)) copy(inProject("node_modules", name), place);
  }
  return [...new Set([...outside, ...imported])].filter((name) => !TRACED.test(name)).sort();
}

/**
 * Next's build names the packages outside of it with a hash, and links that name to the package. Writes their own names
 * into the code instead, and returns them.
 */
function namePlainly(server: string): string[] {
  const names = new Map(linksIn(path.join(BUILD, "node_modules")));
  const hashed = [...names.keys()].toSorted((one, other) => other.length - one.length);
  for (const file of scriptsIn(server)) {
    const text = readFileSync(file, "utf8");
    const plain = hashed.reduce((changed, name) => changed.replaceAll(name, names.get(name) ?? name), text);
    if (plain !== text) writeFileSync(file, plain);
  }
  return [...names.values()];
}

/** The name and the package of each link: `pg-587764f78a6c7a9c`, `pg`. */
function linksIn(folder: string, scope = ""): [string, string][] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): [string, string][] => {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) return linksIn(place, `${entry.name}/`);
    const [, name = ""] = readlinkSync(place).split("node_modules/");
    return [[`${scope}${entry.name}`, name]];
  });
}

/** The files of `TRACED` packages that some part of the build reads, relative to the project. */
function tracedFiles(): string[] {
  const lists = globSync("**/*.nft.json", { cwd: BUILD, exclude: (name) => name === "cache" });
  const files = lists.flatMap((list) => {
    const { files: found } = Trace.parse(JSON.parse(readFileSync(path.join(BUILD, list), "utf8")));
    return found.map((file) => path.relative(projectDirectory, path.join(BUILD, path.dirname(list), file)));
  });
  return [...new Set(files)].filter((file) => TRACED.test(packageIn(file)) && existsSync(inProject(file)));
}

/** The package that a file below node_modules belongs to; empty for others. */
function packageIn(file: string): string {
  const [place, ...parts] = file.split(path.sep);
  return place === "node_modules" ? parts.slice(0, parts[0]?.startsWith("@") ? 2 : 1).join("/") : "";
}

/** Node strips no types there, so the configuration of Next is built too. */
async function writeConfig(target: string): Promise<void> {
  const build = await rolldown({ input: inProject("next.config.ts"), platform: "node" });
  await build.write({ file: path.join(target, "next.config.mjs"), format: "esm" });
  await build.close();
}

function copy(from: string, to: string): void {
  if (!existsSync(from)) throw new Error(`${from} is missing. Run npm run build again.`);
  cpSync(from, to, { recursive: true, dereference: true, filter: (place) => !NEEDLESS.test(place) });
}

function scriptsIn(folder: string): string[] {
  return globSync("**/*.js", { cwd: folder }).map((file) => path.join(folder, file));
}

function inProject(...parts: string[]): string {
  return path.join(projectDirectory, ...parts);
}
