import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SERVER_FOLDERS } from "../generate/layers";

const BIOME = "node_modules/@biomejs/biome/bin/biome";

const DATABASE = "@/lib/server/platform/db/database";
const HOOK = "@/lib/agent/hooks/hook";

interface Layer {
  readonly folder: string;
  readonly forbidden: readonly string[];
  readonly allowed: string;
}

/** What a layer must not import, and something it may (CONTRIBUTING.md). */
const layer = (folder: string, forbidden: readonly string[], allowed: string): Layer => ({
  folder,
  forbidden,
  allowed,
});

const LAYERS = [
  layer("lib/schema", [HOOK, "node:fs", "react"], "zod"),
  layer("lib/agent", ["@/lib/hooks/tracing", "ai", "next/server", "node:fs"], "@/lib/schema/runs/run"),
  layer("lib/tools", [DATABASE, "@/lib/hooks/tracing", "node:fs"], "@/lib/agent/tools/tool"),
  layer("lib/hooks", ["@/lib/models/x", DATABASE, "ai"], "@/lib/tools/calculate"),
  layer("lib/models", ["@/lib/server/platform/env", "next/server", "node:fs"], "@ai-sdk/openai"),
  layer("lib/workspaces", [DATABASE, "@/lib/hooks/x", "ai"], "node:fs"),
  layer("lib/client", [DATABASE, HOOK, "node:fs"], "@/lib/schema/runs/run"),
  layer("lib/context", ["@/lib/hooks/tracing", "@/lib/tools/calculate", "node:fs"], "@/lib/agent/model"),
  layer("lib/prompt", ["@/lib/hooks/prompt", "@/lib/tools/calculate", "node:fs"], "@/lib/agent/model"),
  layer("lib/sdk", ["@/lib/tools/calculate", "node:fs"], "@/lib/models/scripted-model"),
  layer("lib/text", ["@/lib/hooks/tracing", "@/lib/context/x"], "@/lib/schema/messages/message"),
  layer("lib/permissions", ["@/lib/hooks/permissions", "ai"], "picomatch"),
  layer("lib/skills", ["@/lib/tools/skill-search", "@/lib/hooks/skills"], "yaml"),
  ...serverLayers(),
  layer("components", [DATABASE, HOOK, "node:fs"], "@/lib/client/http/api"),
  layer("app", [HOOK, "@/lib/models/x", "@prisma/client"], DATABASE),
];

function serverLayers(): Layer[] {
  const folders = SERVER_FOLDERS;
  return folders.map((folder, index) => ({
    folder: `lib/server/${folder}`,
    // Server components are rendered with what pages reads: it shares one read per request through React's cache.
    forbidden: [
      `@/lib/server/${folders[index + 1] ?? "wiring"}/x`,
      folder === "pages" ? "react-dom" : "react",
      "@/components/ui/controls/button",
      "../x",
    ],
    allowed: `@/lib/server/${folder === "engine" ? "platform" : (folders[index - 1] ?? "platform")}/x`,
  }));
}

let directory: string;
let report: string;

// Biome applies the project's rules in a folder of the same shape, so no bad file is ever in the project.
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), "ringmaster-layers-"));
  const config = { ...JSON.parse(readFileSync("biome.json", "utf8")), vcs: { enabled: false } };
  for (const file of config.extends) cpSync(file, path.join(directory, file));
  writeFileSync(path.join(directory, "biome.json"), JSON.stringify({ ...config, $schema: undefined }));
  for (const { folder, forbidden, allowed } of LAYERS) {
    mkdirSync(path.join(directory, folder), { recursive: true });
    for (const specifier of [...forbidden, allowed]) writeProbe(folder, specifier);
  }
  const rule = ["--only=style/noRestrictedImports", "--reporter=github", "--max-diagnostics=none"];
  const options = { cwd: directory, encoding: "utf8" as const };
  report = spawnSync(process.execPath, [path.resolve(BIOME), "lint", ...rule, "."], options).stdout;
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("layers", () => {
  test.each(LAYERS)(
    "Biome refuses what $folder may not import, and allows the rest",
    ({ folder, forbidden, allowed }) => {
      for (const specifier of forbidden) expect(report).toContain(`${folder}/${probeName(specifier)}`);
      expect(report).not.toContain(`${folder}/${probeName(allowed)}`);
    },
  );
});

function writeProbe(folder: string, specifier: string): void {
  const text = `import value from "${specifier}";\n\nexport const used = value;\n`;
  writeFileSync(path.join(directory, folder, probeName(specifier)), text);
}

function probeName(specifier: string): string {
  return `imports-${specifier.replace(/[^a-z]+/g, "-")}.ts`;
}
