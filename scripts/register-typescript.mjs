// node --import ./scripts/register-typescript.mjs file.ts
// Lets plain Node run the project's TypeScript without a bundler: it resolves "@/…", imports without an extension and
// "server-only", and turns types and parameter properties into JavaScript with Node's own compiler.
import { existsSync, readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = new URL("../", import.meta.url);
const EMPTY_MODULE = new URL("lib/testing/empty-module.ts", root).href;

// Node's compiler calls itself experimental; whoever starts the server can do nothing about it.
const emitWarning = process.emitWarning.bind(process);
process.emitWarning = (warning, ...rest) => {
  if (!String(warning).includes("stripTypeScriptTypes")) emitWarning(warning, ...rest);
};

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === "server-only") return { url: EMPTY_MODULE, shortCircuit: true };
    const target = localTarget(specifier, context.parentURL);
    return nextResolve(target === undefined ? specifier : withExtension(target), context);
  },
  load(url, context, nextLoad) {
    if (!isProjectTypeScript(url)) return nextLoad(url, context);
    const source = stripTypeScriptTypes(readFileSync(new URL(url), "utf8"), { mode: "transform", sourceUrl: url });
    return { format: "module", source, shortCircuit: true };
  },
});

/** The address a project import means, or undefined for packages, node: modules and files outside the project. */
function localTarget(specifier, parentUrl) {
  if (specifier.startsWith("@/")) return new URL(specifier.slice(2), root);
  const isRelative = specifier.startsWith("./") || specifier.startsWith("../");
  return isRelative && isProjectTypeScript(parentUrl) ? new URL(specifier, parentUrl) : undefined;
}

function isProjectTypeScript(url) {
  return url?.startsWith(root.href) === true && url.endsWith(".ts") && !url.includes("/node_modules/");
}

function withExtension(url) {
  const file = fileURLToPath(url);
  if (/\.[cm]?[jt]sx?$/.test(file)) return url.href;
  const found = [`${file}.ts`, `${file}.tsx`].find((candidate) => existsSync(candidate));
  return found === undefined ? url.href : pathToFileURL(found).href;
}
