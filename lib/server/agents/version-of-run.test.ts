import { expect, test } from "vitest";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { versionOfRun } from "./version-of-run";

const config = AgentConfig.parse({ name: "Ops", max_iterations: 40, prompt: { mode: "full" } });
const version = { id: "av1", agentId: "ops", number: 1, config, promptFiles: [] };
const run = { parentRunId: null, subagentName: null, isInline: false, originDetails: null, origin: "api", input: "{}" };
const rules = { id: "hb1", name: "Heartbeat", allow: [], deny: [], runUsd: null, dayUsd: 0.25, maxSteps: 5 };
const input = { messages: [], transcriptPosition: null, noHistory: true, trigger: rules };

test("a beat takes the short prompt and few steps, and neither compacts nor flushes what it did not read", () => {
  const beat = { ...run, origin: "heartbeat", originDetails: "{}", input: JSON.stringify(input) };
  const own = versionOfRun(beat, version).config;
  expect(own).toMatchObject({ max_iterations: 5, prompt: { mode: "minimal" } });
  expect([own.compaction.enabled, own.memory_flush.enabled]).toEqual([false, false]);
});

test("other runs without history do not compact either, and keep everything else; with history nothing changes", () => {
  const alone = versionOfRun({ ...run, input: JSON.stringify({ ...input, trigger: undefined }) }, version).config;
  expect(alone).toEqual({
    ...config,
    compaction: { ...config.compaction, enabled: false },
    memory_flush: { ...config.memory_flush, enabled: false },
  });
  const said = JSON.stringify({ ...input, noHistory: undefined, messages: [{ content: '"noHistory":true' }] });
  expect(versionOfRun({ ...run, input: said }, version)).toBe(version);
});
