import { describe, expect, it } from "vitest";
import { readableResult, summarizeSpan } from "./span-summary";

describe("a tool's result for reading", () => {
  it("is indented when it is JSON, with the lines of its strings", () => {
    expect(readableResult('{"exit_code":3,"output":"one\\ntwo"}')).toBe(
      '{\n  "exit_code": 3,\n  "output": "one\ntwo"\n}',
    );
  });

  it("keeps a backslash before an n that is not a line break", () => {
    expect(readableResult('["C:\\\\new"]')).toBe('[\n  "C:\\\\new"\n]');
  });

  it("is left alone when it is something else", () => {
    expect(readableResult("Updated 3 todo(s)")).toBe("Updated 3 todo(s)");
    expect(readableResult("[1 of 3 lines")).toBe("[1 of 3 lines");
  });
});

it("says what let a call run without a question", () => {
  const said = (attributes: object) => summarizeSpan({ attributes: { permission: "allow", ...attributes } }).decision;
  expect(said({ permission_by: "grant" })).toBe("Allowed by an earlier decision on exactly this call");
  expect(said({ permission_by: "mode" })).toBe("");
  expect(said({ permission: "ask", permission_by: "ask", approval: "allow", decided_by_name: "Ada" })).toBe(
    "Allowed by Ada",
  );
});
