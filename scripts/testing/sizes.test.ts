import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { projectDirectory } from "../project-directory";

const BIOME = path.join(projectDirectory, "node_modules/@biomejs/biome/bin/biome");
const RULES = ["style/noExcessiveLinesPerFile", "complexity/noExcessiveCognitiveComplexity"];
const Config = z.object({ files: z.unknown(), css: z.unknown() });

/** biome.json warns earlier; a rule can have only one level there. */
const LIMITS = {
  style: { noExcessiveLinesPerFile: { level: "error", options: { maxLines: 800, skipBlankLines: false } } },
  complexity: { noExcessiveCognitiveComplexity: { level: "error", options: { maxAllowedComplexity: 20 } } },
};

/** Has Biome find files in `folder` that are longer or more complex than allowed. */
function lintSizes(folder: string) {
  const config = mkdtempSync(path.join(tmpdir(), "ringmaster-sizes-"));
  onTestFinished(() => rmSync(config, { recursive: true, force: true }));
  const { files, css } = Config.parse(JSON.parse(readFileSync("biome.json", "utf8")));
  const settings = { root: true, files, css, linter: { rules: { preset: "none", ...LIMITS } } };
  writeFileSync(path.join(config, "biome.json"), JSON.stringify(settings));
  const options = [`--config-path=${config}`, ...RULES.map((rule) => `--only=${rule}`), "--reporter=github"];
  return spawnSync(process.execPath, [BIOME, "lint", ...options, "."], { cwd: folder, encoding: "utf8" });
}

test("no file of the project has more than 800 lines, no function a complexity above 20", () => {
  expect(lintSizes(projectDirectory)).toMatchObject({ status: 0, stdout: "" });
});

test("a file of 801 lines and a function of complexity 21 are found", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "ringmaster-large-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, "long.ts"), "export {};\n".repeat(801));
  const branches = "  if (a) return 1;\n".repeat(21);
  writeFileSync(path.join(folder, "complex.ts"), `export function f(a: boolean) {\n${branches}  return 0;\n}\n`);
  writeFileSync(path.join(folder, "plain.ts"), "export const one = 1;\n");
  const { status, stdout } = lintSizes(folder);
  expect(status).toBe(1);
  expect(stdout).toContain("long.ts");
  expect(stdout).toContain("complex.ts");
  expect(stdout).not.toContain("plain.ts");
});
