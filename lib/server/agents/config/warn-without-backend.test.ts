import { expect, test } from "vitest";
import { AgentConfig, type AgentConfigInput } from "@/lib/schema/agents/agent-config";
import { warnWithoutBackend } from "./warn-without-backend";

const NEEDS_FILES: Omit<AgentConfigInput, "name"> = {
  type: "open",
  tools: ["memory_*"],
  memory: { paths: ["AGENTS.md"] },
  skills: { paths: ["skills"] },
};
const pathsOf = (config: Omit<AgentConfigInput, "name">) =>
  warnWithoutBackend(AgentConfig.parse({ name: "A", ...config })).map(({ path }) => path);

test("without a backend, every setting that needs files gives a warning", () => {
  expect(pathsOf(NEEDS_FILES)).toEqual(["type", "memory", "tools", "skills"]);
});

test("with a backend, or without such settings, there is no warning", () => {
  expect(pathsOf({ ...NEEDS_FILES, backend: { type: "state" } })).toEqual([]);
  expect(pathsOf({ tools: ["calculate"] })).toEqual([]);
});
