import { expect, test } from "vitest";
import { AgentConfig, type AgentConfigInput } from "@/lib/schema/agents/agent-config";
import { findUnavailable } from "./check-available";

function pathsOf(config: Omit<AgentConfigInput, "name">) {
  return findUnavailable(AgentConfig.parse({ name: "A", ...config })).map(({ path }) => path);
}

test("a config with only defaults needs nothing that is missing", () => {
  expect(pathsOf({})).toEqual([]);
});

test.each([
  [{ gate: { dataset: "cases", mode: "block" } }, "gate"],
  [{ backend: { type: "remote" } }, "backend.type"],
  [{ backend: { type: "local", sandbox: "ssh" } }, "backend.sandbox"],
  [{ backend: { type: "state", sandbox: "just-bash" } }, "backend.sandbox"],
] satisfies [Omit<AgentConfigInput, "name">, string][])("%o is refused by name", (config, path) => {
  expect(pathsOf(config)).toEqual([path]);
});

test("the docker sandbox passes in both spellings: whether an engine is there is another matter", () => {
  expect(pathsOf({ backend: { type: "docker" } })).toEqual([]);
  expect(pathsOf({ backend: { type: "local", sandbox: "docker" } })).toEqual([]);
});

test("the default of a field whose feature is missing passes", () => {
  expect(pathsOf({ gate: null })).toEqual([]);
});

test("switches that change nothing pass", () => {
  expect(pathsOf({ guard: { mode: "off" }, permissions: { deny: ["execute"] } })).toEqual([]);
});
