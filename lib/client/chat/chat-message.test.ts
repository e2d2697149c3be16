import { expect, test } from "vitest";
import { type ChatMessage, isShown } from "./chat-message";

const message = (silent: true | undefined, parts: ChatMessage["parts"]): ChatMessage => ({
  id: "m",
  role: "assistant",
  metadata: { runId: "r", traceId: "t", silent },
  parts,
});

test("what is left of a silent reply is not shown", () => {
  expect(isShown(message(true, [{ type: "step-start" }]))).toBe(false);
  expect(isShown(message(true, []))).toBe(false);
});

test("a silent reply after something that people saw is shown, and so is a reply that is only beginning", () => {
  const call = {
    type: "dynamic-tool",
    toolName: "ls",
    toolCallId: "c",
    state: "output-available",
    input: {},
    output: "",
  } as const;
  expect(isShown(message(true, [{ type: "step-start" }, call]))).toBe(true);
  expect(isShown(message(undefined, []))).toBe(true);
});
