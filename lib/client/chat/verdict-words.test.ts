import { expect, it } from "vitest";
import { ruleText } from "./verdict-words";

it("writes what decided as it is in the config", () => {
  expect(ruleText({ by: "off" })).toBe("permissions.enabled: false");
  expect(ruleText({ by: "mode", mode: "plan" })).toBe("mode: plan");
  expect(ruleText({ by: "deny", rule: "mcp__*" })).toBe("deny: mcp__*");
  expect(ruleText({ by: "ask", rule: { tool: "execute", args: { command: "npm *" } } })).toBe(
    'ask: execute {"command":"npm *"}',
  );
  expect(ruleText({ by: "allow", rule: { tool: "Read", args: {} } })).toBe("allow: Read");
});
