import { expect, test } from "vitest";
import { approvalTitle } from "./interrupt-words";

test("the question is the tool's own, else it names the tool, whatever it is called", () => {
  const facts = { kind: "command", gist: "ls", question: "Run this command?" } as const;
  expect(approvalTitle({ tool: "execute", facts })).toBe("Run this command?");
  for (const tool of ["send_mail", "constructor", "__proto__"]) expect(approvalTitle({ tool })).toBe(`Call ${tool}?`);
});
