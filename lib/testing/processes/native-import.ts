import { pathToFileURL } from "node:url";
import vm from "node:vm";

/** Vitest rewrites `import(…)`, but not in code that is compiled here. */
const importNatively: (url: string) => Promise<unknown> = vm.runInThisContext("(url) => import(url)", {
  importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});

/** Imports with Node's own loader, like a process launched by the start script. */
export async function nativeImport(url: string): Promise<unknown> {
  await importNatively(pathToFileURL("scripts/resolve-imports.ts").href);
  return importNatively(url);
}
