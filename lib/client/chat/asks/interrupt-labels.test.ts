import { expect, it, test } from "vitest";
import { approvalTitle, ruleText } from "./interrupt-labels";

test("the question is the tool's own, else it names the tool, whatever it is called", () => {
  const facts = { kind: "command", gist: "ls", question: "Run this command?" } as const;
  expect(approvalTitle({ tool: "execute", facts })).toBe("Run this command?");
  for (const tool of ["send_mail", "constructor", "__proto__"]) expect(approvalTitle({ tool })).toBe(`Call ${tool}?`);
});

it("names the deciding rule as the config spells it", () => {
  expect(ruleText({ by: "off" })).toBe("permissions.enabled: false");
  expect(ruleText({ by: "mode", mode: "plan" })).toBe("mode: plan");
  expect(ruleText({ by: "deny", rule: "mcp__*" })).toBe("deny: mcp__*");
  expect(ruleText({ by: "ask", rule: { tool: "execute", args: { command: "npm *" } } })).toBe(
    'ask: execute {"command":"npm *"}',
  );
  expect(ruleText({ by: "allow", rule: { tool: "Read", args: {} } })).toBe("allow: Read");
});
