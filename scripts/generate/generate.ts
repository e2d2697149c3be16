// npm run generate: writes what follows from other files and is checked in because Next, Biome and programs read it: the
// list of routes, Biome's rules of the layers, and the routes' types for ringmaster/client.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { ROUTE_ACCESS } from "../../lib/server/http/access";
import { isMain } from "../is-main";
import { projectDirectory } from "../project-directory";
import { clientRoutes } from "./client-routes";
import { layerRules } from "./layer-rules";
import { readRouteFiles, routeModules } from "./route-modules";

const ROUTES_FILE = "app/api/openapi.json/route-modules.ts";
const CLIENT_FILE = "lib/api-client/routes.ts";
const BIOME = "node_modules/@biomejs/biome/bin/biome";

/** The generated files by their path in the project. Throws when a route has no line in the access table. */
export function generateFiles(): Readonly<Record<string, string>> {
  return {
    "scripts/generate/biome-layers.json": layerRules(),
    [ROUTES_FILE]: format(ROUTES_FILE, routeModules(readRouteFiles(projectDirectory), ROUTE_ACCESS)),
  };
}

/** The types of all routes; the list of routes must be current. */
export async function generateClientRoutes(): Promise<Readonly<Record<string, string>>> {
  const { ROUTE_MODULES } = await import("../../app/api/openapi.json/route-modules");
  const { buildOpenApiDocument } = await import("../../lib/server/http/openapi/build-document");
  return { [CLIENT_FILE]: await clientRoutes(buildOpenApiDocument(ROUTE_MODULES, { version: "", url: "" })) };
}

function format(file: string, input: string): string {
  const program = path.join(projectDirectory, BIOME);
  const programArguments = [program, "check", "--write", "--stdin-file-path", file];
  const { stdout, stderr, status } = spawnSync(process.execPath, programArguments, {
    input,
    encoding: "utf8",
    cwd: projectDirectory,
  });
  if (status !== 0) throw new Error(`Biome did not format ${file}: ${stderr}`);
  return stdout;
}

function write(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(projectDirectory, file), text);
}

if (isMain(import.meta.url)) {
  write(generateFiles());
  write(await generateClientRoutes());
}
