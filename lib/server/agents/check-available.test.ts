import { expect, test } from "vitest";
import { AgentConfig, type AgentConfigInput } from "@/lib/schema/agent-config";
import { checkAvailable, findUnavailable } from "./check-available";

function pathsOf(config: Omit<AgentConfigInput, "name">) {
  return findUnavailable(AgentConfig.parse({ name: "A", ...config })).map(({ path }) => path);
}

test("a config with nothing but defaults needs nothing that is missing", () => {
  expect(pathsOf({})).toEqual([]);
});

test("a section that waits for its hook is refused when it is changed and passes when it is off", () => {
  expect(pathsOf({ compaction: { keep_last: 6 } })).toEqual(["compaction"]);
  expect(pathsOf({ compaction: { enabled: false, keep_last: 6 } })).toEqual([]);
});

test.each([
  [{ backend: { type: "docker" } }, "backend.type"],
  [{ subagents: ["researcher"] }, "subagents"],
  [{ tools: ["task"] }, "tools"],
  [{ threads: { ttl_minutes: 5 } }, "threads.ttl_minutes"],
] satisfies [Omit<AgentConfigInput, "name">, string][])("%o is refused by name", (config, path) => {
  expect(pathsOf(config)).toEqual([path]);
});

test("a refusal is a 400 that names the field", () => {
  expect(() => checkAvailable(AgentConfig.parse({ name: "A", mcp_servers: ["x"] }))).toThrow(/^mcp_servers: /);
});

test("switches that change nothing pass", () => {
  expect(pathsOf({ guard: { mode: "off" }, permissions: { deny: ["execute"] } })).toEqual([]);
});
