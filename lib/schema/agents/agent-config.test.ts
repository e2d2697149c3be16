import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { AgentConfig } from "./agent-config";

const [, documented = ""] = /```yaml\n([\s\S]*?)```/.exec(readFileSync("docs/guide/agent-config.md", "utf8")) ?? [];

/** Fields for which the page shows a sample, because the default is empty. */
const SAMPLES = ["name", "description", "model", "system_prompt", "tools", "backend"];

test("the documented config loads, and shows every field with its default", () => {
  const shown = AgentConfig.parse(parse(documented));
  const defaults = AgentConfig.parse({ name: "x" });
  for (const [field, value] of Object.entries(defaults)) {
    if (!SAMPLES.includes(field)) expect({ [field]: shown[field as keyof AgentConfig] }).toEqual({ [field]: value });
  }
  expect(Object.keys(parse(documented))).toEqual(expect.arrayContaining(Object.keys(defaults)));
});
