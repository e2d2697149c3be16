import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { projectDirectory } from "../project-directory";
import { judgeLint } from "./judge-lint";

const BIOME = path.join(projectDirectory, "node_modules/@biomejs/biome/bin/biome");
const Config = z.object({
  linter: z.object({ rules: z.object({ style: z.record(z.string(), z.unknown()), complexity: z.unknown() }) }),
});

/** What Biome, with the project's own limits, says of files with these texts. */
function lint(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(path.join(tmpdir(), "ringmaster-lint-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { style, complexity } = Config.parse(JSON.parse(readFileSync("biome.json", "utf8"))).linter.rules;
  const rules = { preset: "none", style: { noExcessiveLinesPerFile: style.noExcessiveLinesPerFile }, complexity };
  const unused = { noUnusedImports: "warn" };
  const settings = { root: true, linter: { rules: { ...rules, correctness: unused } } };
  writeFileSync(path.join(folder, "biome.json"), JSON.stringify(settings));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const { stdout } = spawnSync(process.execPath, [BIOME, "lint", "--reporter=json", "--max-diagnostics=none", "."], {
    cwd: folder,
    encoding: "utf8",
  });
  return judgeLint(JSON.parse(stdout));
}

const lines = (count: number) => "export {};\n".repeat(count);
const branches = (count: number) =>
  `export function f(a: boolean) {\n${"  if (a) return 1;\n".repeat(count)}  return 0;\n}\n`;

test("a file of 801 lines and a function of complexity 21 are problems", () => {
  const { problems } = lint({ "long.ts": lines(801), "complex.ts": branches(21), "plain.ts": lines(1) });
  expect(problems).toEqual([
    expect.stringMatching(/^complex\.ts:1 .*complexity of 21/),
    expect.stringMatching(/^long\.ts:1 .*801/),
  ]);
});

test("smaller ones above the comfortable size are only counted", () => {
  expect(lint({ "long.ts": lines(500), "complex.ts": branches(20) })).toEqual({ problems: [], large: 2 });
});

test("any other warning is a problem", () => {
  expect(lint({ "unused.ts": 'import { a } from "./a";\n\nexport {};\n' }).problems).toEqual([
    expect.stringMatching(/^unused\.ts:1 lint\/correctness\/noUnusedImports/),
  ]);
});
