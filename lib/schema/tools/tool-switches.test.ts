import { expect, test } from "vitest";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { asksFirst, isSwitchedOn, TOOL_SWITCHES, withPurpose, withSwitch } from "./tool-switches";

const PLAIN = { name: "A", tools: ["calculate"] };
const switchedOn = (config: Record<string, unknown>) => TOOL_SWITCHES.filter((name) => isSwitchedOn(config, name));

test.each(TOOL_SWITCHES)("%s on and off again leaves a valid config without it", (name) => {
  const on = withSwitch(PLAIN, name, true);
  expect([isSwitchedOn(on, name), AgentConfig.safeParse(on).success]).toEqual([true, true]);
  const off = withSwitch(on, name, false);
  expect([isSwitchedOn(off, name), AgentConfig.safeParse(off).success]).toEqual([false, true]);
  expect(off.tools).toEqual(["calculate"]);
});

test("commands bring files along and ask before each call", () => {
  const on = withSwitch({ ...PLAIN, permissions: { mode: "plan", deny: ["ls"] } }, "execute", true);
  expect(switchedOn(on)).toEqual(["files", "execute"]);
  expect(asksFirst(on, "execute")).toBe(true);
  expect(on.permissions).toEqual({ enabled: true, mode: "plan", deny: ["ls"], ask: ["execute"] });
});

test("without files there are neither commands nor memory", () => {
  const both = withSwitch(withSwitch(PLAIN, "memory", true), "execute", true);
  expect(switchedOn(both)).toEqual(["files", "execute", "memory"]);
  expect(switchedOn(withSwitch(both, "files", false))).toEqual([]);
});

test("pages and searches are allowed for known addresses only, and the rule goes with its tool", () => {
  const fetches = withSwitch({ ...PLAIN, permissions: { allow: ["ls"] } }, "web_fetch", true);
  expect(fetches.permissions).toMatchObject({
    enabled: true,
    allow: ["ls", { tool: "web_fetch", addresses: "known" }],
  });
  expect(withSwitch(fetches, "web_fetch", false).permissions).toMatchObject({ allow: ["ls"] });
});

test("a list of denied tools stays when a tool is allowed", () => {
  const config = { name: "A", tools: { allow: ["calculate"], deny: ["ls"] } };
  expect(withSwitch(config, "schedule", true).tools).toEqual({ allow: ["calculate", "schedule"], deny: ["ls"] });
});

test("the purpose is the description and the first lines of the prompt, however often it changes", () => {
  const first = withPurpose({ name: "A" }, "Reads invoices.");
  expect(first).toMatchObject({ description: "Reads invoices.", system_prompt: "Reads invoices." });
  expect(withPurpose(first, "Reads invoices and orders.").system_prompt).toBe("Reads invoices and orders.");
  const template = { description: "Answers.", system_prompt: "You are capable.\n\nPlan work." };
  const changed = withPurpose(template, "Checks invoices.");
  expect(changed.system_prompt).toBe("Checks invoices.\n\nYou are capable.\n\nPlan work.");
  expect(withPurpose(changed, "").system_prompt).toBe(template.system_prompt);
  expect(withPurpose(template, "Answers.")).toBe(template);
});
