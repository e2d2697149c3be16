import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const BIOME = "node_modules/@biomejs/biome/bin/biome";

/** What each layer must not import, and something that it may (CONTRIBUTING.md). */
const LAYERS = [
  { folder: "lib/schema", forbidden: ["@/lib/agent/hooks/hook", "node:fs", "react"], allowed: "zod" },
  {
    folder: "lib/agent",
    forbidden: ["@/lib/hooks/tracing", "ai", "next/server", "node:fs"],
    allowed: "@/lib/schema/runs/run",
  },
  {
    folder: "lib/tools",
    forbidden: ["@/lib/server/platform/db/database", "@/lib/hooks/tracing", "node:fs"],
    allowed: "@/lib/agent/tools/tool",
  },
  {
    folder: "lib/hooks",
    forbidden: ["@/lib/models/x", "@/lib/server/platform/db/database", "ai"],
    allowed: "@/lib/tools/calculate",
  },
  {
    folder: "lib/models",
    forbidden: ["@/lib/server/platform/env", "next/server", "node:fs"],
    allowed: "@ai-sdk/openai",
  },
  {
    folder: "lib/workspaces",
    forbidden: ["@/lib/server/platform/db/database", "@/lib/hooks/x", "ai"],
    allowed: "node:fs",
  },
  {
    folder: "lib/client",
    forbidden: ["@/lib/server/platform/db/database", "@/lib/agent/hooks/hook", "node:fs"],
    allowed: "@/lib/schema/runs/run",
  },
  {
    folder: "lib/context",
    forbidden: ["@/lib/hooks/tracing", "@/lib/tools/calculate", "node:fs"],
    allowed: "@/lib/agent/model",
  },
  { folder: "lib/sdk", forbidden: ["@/lib/tools/calculate", "node:fs"], allowed: "@/lib/models/scripted-model" },
  {
    folder: "lib/text",
    forbidden: ["@/lib/hooks/tracing", "@/lib/context/x"],
    allowed: "@/lib/schema/messages/message",
  },
  { folder: "lib/permissions", forbidden: ["@/lib/hooks/permissions", "ai"], allowed: "picomatch" },
  { folder: "lib/skills", forbidden: ["@/lib/tools/skill-search", "@/lib/hooks/skills"], allowed: "yaml" },
  ...serverLayers(),
  {
    folder: "components",
    forbidden: ["@/lib/server/platform/db/database", "@/lib/agent/hooks/hook", "node:fs"],
    allowed: "@/lib/client/http/api",
  },
  {
    folder: "app",
    forbidden: ["@/lib/agent/hooks/hook", "@/lib/models/x", "@prisma/client"],
    allowed: "@/lib/server/platform/db/database",
  },
];

/** The folders of lib/server, innermost first: each may import those before it (CONTRIBUTING.md). */
function serverLayers() {
  const folders = [
    "platform",
    "http",
    "engine",
    "views",
    "audit",
    "users",
    "files",
    "skills",
    "extensions",
    "tools",
    "providers",
    "agents",
    "threads",
    "file-access",
    "traces",
    "inbox",
    "status",
    "pages",
    "apis",
  ];
  return folders.map((folder, index) => ({
    folder: `lib/server/${folder}`,
    forbidden: [`@/lib/server/${folders[index + 1] ?? "wiring"}/x`, "react", "@/components/ui/controls/button", "../x"],
    allowed: `@/lib/server/${folder === "engine" ? "platform" : (folders[index - 1] ?? "platform")}/x`,
  }));
}

let directory: string;
let report: string;

// Biome reads the project's rules in a folder of the same shape, so that no bad file ever stands in the project.
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), "ringmaster-layers-"));
  const config = { ...JSON.parse(readFileSync("biome.json", "utf8")), vcs: { enabled: false } };
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
