import { expect, test } from "vitest";
import { PromptConfig, type PromptFilesConfig } from "@/lib/schema/agents/agent-config-texts";
import type { PromptFileName } from "@/lib/schema/agents/prompt";
import { cutPromptFiles } from "./cut-files";

const cut = (files: Partial<Record<PromptFileName, string>>, limits: Partial<PromptFilesConfig> = {}) =>
  cutPromptFiles(new Map(Object.entries(files) as [PromptFileName, string][]), {
    ...PromptConfig.parse({}).files,
    ...limits,
  });

test("a file of 20,000 characters passes whole, one more is cut to its first 70% and last 20%", () => {
  expect(cut({ "SOUL.md": "s".repeat(20_000) }).get("SOUL.md")).toHaveLength(20_000);
  const text = cut({ "SOUL.md": `${"a".repeat(15_000)}${"z".repeat(5_001)}` }).get("SOUL.md") ?? "";
  expect(text).toBe(
    `${"a".repeat(14_000)}\n\n[... 2001 characters of SOUL.md are left out here ...]\n\n${"z".repeat(4_000)}`,
  );
});

test("24,000 characters in all pass whole, one more cuts the last file", () => {
  const first = "i".repeat(20_000);
  expect(cut({ "IDENTITY.md": first, "SOUL.md": "s".repeat(4_000) }).get("SOUL.md")).toHaveLength(4_000);
  const kept = cut({ "IDENTITY.md": first, "SOUL.md": "s".repeat(4_001) });
  expect(kept.get("SOUL.md")).toBe(
    `${"s".repeat(2_800)}\n\n[... 401 characters of SOUL.md are left out here ...]\n\n${"s".repeat(800)}`,
  );
});

test("a file's share never exceeds the remaining total, and scraps are left out", () => {
  const kept = cut({ "IDENTITY.md": "i".repeat(20_000), "SOUL.md": "s".repeat(3_500), "USER.md": "u".repeat(5_000) });
  expect([...kept.keys()]).toEqual(["IDENTITY.md", "SOUL.md"]);
  const all = cut({ "AGENTS.md": "a".repeat(90_000), "TOOLS.md": "t".repeat(90_000), "USER.md": "u".repeat(90_000) });
  expect([...all.values()].reduce((sum, text) => sum + text.length, 0)).toBeLessThanOrEqual(24_000);
});

test("empty files are left out", () => {
  expect([...cut({ "USER.md": " \n", "TOOLS.md": "t" }).keys()]).toEqual(["TOOLS.md"]);
});

test.each([
  [1_999, 1_999],
  [2_000, 2_000],
  [2_001, 1_000 + 400 + "\n\n[... 601 characters of SOUL.md are left out here ...]\n\n".length],
])("with max_chars 2,000 and head_ratio 0.5, %i characters become %i", (length, kept) => {
  const text = cut({ "SOUL.md": "s".repeat(length) }, { max_chars: 2_000, head_ratio: 0.5 }).get("SOUL.md");
  expect(text).toHaveLength(kept);
});

test.each([
  [999, false],
  [1_000, false],
  [1_001, true],
])("with max_total_chars 3,000, a second file of %i characters is cut: %s", (length, isCut) => {
  const files = { "IDENTITY.md": "i".repeat(2_000), "SOUL.md": "s".repeat(length) };
  expect(cut(files, { max_total_chars: 3_000 }).get("SOUL.md")?.includes("left out")).toBe(isCut);
});
