// node --import ./scripts/resolve-imports.ts file.ts
// Lets plain Node, which strips types natively, run the project's TypeScript without a bundler: resolves "@/…", imports
// without an extension, and "server-only".
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = new URL("../", import.meta.url);

registerHooks({
  resolve(specifier, context, nextResolve) {
    // Outside a bundler, only its entry for server code does not throw.
    if (specifier === "server-only")
      return nextResolve(specifier, { ...context, conditions: [...context.conditions, "react-server"] });
    const target = localTarget(specifier, context.parentURL);
    return nextResolve(target === undefined ? specifier : withExtension(target), context);
  },
});

/** The URL that a project import refers to, or undefined for packages, node: modules and files outside the project. */
function localTarget(specifier: string, parentUrl: string | undefined): URL | undefined {
  if (specifier.startsWith("@/")) return new URL(specifier.slice(2), root);
  const isRelative = specifier.startsWith("./") || specifier.startsWith("../");
  return isRelative && isProjectTypeScript(parentUrl) ? new URL(specifier, parentUrl) : undefined;
}

function isProjectTypeScript(url: string | undefined): boolean {
  return url?.startsWith(root.href) === true && url.endsWith(".ts") && !url.includes("/node_modules/");
}

function withExtension(url: URL): string {
  const file = fileURLToPath(url);
  if (/\.[cm]?[jt]s$/.test(file)) return url.href;
  return existsSync(`${file}.ts`) ? pathToFileURL(`${file}.ts`).href : url.href;
}
