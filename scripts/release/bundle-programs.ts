// What of lib and scripts runs outside Next's build: Node strips no types below node_modules, so a release has it built.
import { builtinModules } from "node:module";
import path from "node:path";
import { type InputOptions, rolldown } from "rolldown";
import { projectDirectory } from "../project-directory";

/** Keep their place, because they are started or found by it. */
const PROGRAMS = [
  "scripts/ringmaster/ringmaster",
  "scripts/server/check-file",
  "lib/server/agents/hooks/trial/trial-worker",
  "lib/workspaces/search-worker",
  "lib/sdk/ringmaster",
  "lib/sdk/testing",
];
/** May read only the program's own folder, so they bring the packages that they need. */
const SEALED = [
  "lib/server/files/documents/document-worker",
  "lib/server/files/pages/page-worker",
  "lib/server/tools/http/openapi/openapi-worker",
  "lib/server/triggers/channels/email/mail-worker",
];

const BUILT_IN = new Set(builtinModules);
const isPackage = (id: string) =>
  !id.startsWith(".") && !id.startsWith("@/") && !path.isAbsolute(id) && id !== "server-only" && !id.startsWith("\0");
const isBuiltIn = (id: string) => id.startsWith("node:") || BUILT_IN.has(id);

/** Writes the programs below `target`, and returns the packages that they import. */
export async function bundlePrograms(target: string): Promise<string[]> {
  const imported = await bundle(PROGRAMS, target, isPackage);
  await bundle(SEALED, target, isBuiltIn);
  return imported;
}

async function bundle(
  entries: readonly string[],
  target: string,
  isExternal: (id: string) => boolean,
): Promise<string[]> {
  const options: InputOptions = {
    cwd: projectDirectory,
    input: Object.fromEntries(entries.map((entry) => [entry, path.join(projectDirectory, `${entry}.ts`)])),
    platform: "node",
    external: isExternal,
    resolve: {
      alias: { "@": projectDirectory },
      // Of "server-only" this is the entry that does not throw.
      conditionNames: ["react-server", "node", "import", "default"],
    },
    preserveEntrySignatures: "strict",
  };
  const build = await rolldown(options);
  try {
    const { output } = await build.write({
      dir: target,
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "lib/chunks/[name]-[hash].js",
    });
    const chunks = output.filter((part) => part.type === "chunk");
    const own = new Set<string>(chunks.map(({ fileName }) => fileName));
    const imports = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]);
    return [...new Set(imports.filter((id) => !own.has(id) && !isBuiltIn(id)).map(packageOf))].sort();
  } finally {
    await build.close();
  }
}

/** `@scope/name` or `name` of an import such as `@scope/name/part`. */
function packageOf(specifier: string): string {
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}
