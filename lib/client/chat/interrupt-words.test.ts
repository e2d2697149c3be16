import { expect, test } from "vitest";
import { approvalTitle } from "./interrupt-words";

test("the question names the tool, whatever it is called", () => {
  expect(approvalTitle("execute")).toBe("Run this command?");
  for (const tool of ["send_mail", "constructor", "__proto__"]) expect(approvalTitle(tool)).toBe(`Call ${tool}?`);
});
