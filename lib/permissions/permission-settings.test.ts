import { expect, test } from "vitest";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { approvalTtlMs, permissionSettings } from "./permission-settings";

const configOf = (hooks: unknown) =>
  AgentConfig.parse({ name: "A", permissions: { enabled: true, ask: ["execute"] }, hooks });

test("the list of hooks overrides the agent's own permissions, and can disable them", () => {
  expect(permissionSettings(configOf(null))).toMatchObject({ enabled: true, mode: "default", ask: ["execute"] });
  expect(permissionSettings(configOf([{ name: "permissions", config: { mode: "plan" } }]))).toMatchObject({
    enabled: true,
    mode: "plan",
    ask: ["execute"],
  });
  expect(permissionSettings(configOf([{ name: "permissions", enabled: false }])).enabled).toBe(false);
});

test("a time to live is a number of hours; null and 0 mean never", () => {
  const ttl = (hours: number | null) =>
    approvalTtlMs(permissionSettings(AgentConfig.parse({ name: "A", permissions: { approval_ttl_hours: hours } })));
  expect([ttl(null), ttl(0), ttl(0.5), ttl(24)]).toEqual([null, null, 1_800_000, 86_400_000]);
});
