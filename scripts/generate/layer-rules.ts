import { LAYERS, type Layer } from "./layers";

/** The text of the file that `biome.json` extends: one override per line. */
export function layerRules(layers: readonly Layer[] = LAYERS): string {
  return `{\n"overrides": [\n${layers.map((layer) => JSON.stringify(toOverride(layer))).join(",\n")}\n]\n}\n`;
}

function toOverride({ folder, patterns, message }: Layer): object {
  const options = { patterns: [{ group: patterns, message }] };
  return {
    includes: [`${folder}/**`, "!**/*.test.ts", "!**/*.test.tsx"],
    linter: { rules: { style: { noRestrictedImports: { level: "error", options } } } },
  };
}
