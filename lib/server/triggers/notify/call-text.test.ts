import { expect, test } from "vitest";
import { callQuestion, callText } from "./call-text";

test("a call with one text says it plainly, others say their arguments as JSON", () => {
  expect(callText("execute", { command: "git push origin" })).toEqual({
    text: "execute: git push origin",
    isWhole: true,
  });
  expect(callText("send", { to: "ada", copies: 2 })).toEqual({ text: 'send {"to":"ada","copies":2}', isWhole: true });
  expect(callText("stop", {})).toEqual({ text: "stop {}", isWhole: true });
});

test("a tool without words of its own is asked about by its name", () => {
  expect(callQuestion({ tool: "send" })).toBe("Allow send?");
  const facts = { kind: "command", gist: "ls", question: "Run this command?" } as const;
  expect(callQuestion({ tool: "execute", facts })).toBe("Run this command?");
});

test("120 characters are whole, one more is not and ends in an ellipsis", () => {
  const ofLength = (length: number) => callText("run", { command: "x".repeat(length - "run: ".length) });
  expect(ofLength(120).isWhole).toBe(true);
  const longer = ofLength(121);
  expect([longer.isWhole, longer.text.length, longer.text.at(-1)]).toEqual([false, 120, "…"]);
});

test.each([
  ["turns the direction of reading", "\u202Etxt.exe"],
  ["can't be seen", "rm\u200B -rf"],
  ["begins another line in Unicode's way", "ls\u2028rm -rf /"],
])("a call with a character that %s is never whole", (_, command) => {
  const { text, isWhole } = callText("execute", { command });
  expect(isWhole).toBe(false);
  expect(text).not.toMatch(/[\u202E\u200B\u2028]/);
});

test("a line break is shown as JSON writes it", () => {
  expect(callText("execute", { command: "ls\nrm x" })).toEqual({
    text: 'execute {"command":"ls\\nrm x"}',
    isWhole: true,
  });
});
