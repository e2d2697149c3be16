import { expect, test } from "vitest";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import { completionText } from "./completion-text";

const EMPTY_REPLY = {
  content: "",
  reasoning: [],
  toolCalls: [],
  finishReason: "stop" as const,
  usage: NO_USAGE,
  model: "scripted:test",
  timeToFirstTokenMs: 1,
};

test("text that was sent can't be taken back", () => {
  const text = completionText("already sent");
  text.push({ type: "text.delta", step: 1, delta: "half" });
  text.push({ type: "step.reset", step: 1 });
  expect(() => text.push({ type: "text.delta", step: 1, delta: "again" })).toThrow("Send the request again");
});

test("a silent reply that showed text before the token just ends", () => {
  const text = completionText("already sent");
  text.push({ type: "text.delta", step: 1, delta: "Done." });
  text.push({ type: "step.reset", step: 1 });
  const reply = { ...EMPTY_REPLY, silent: true as const };
  text.push({ type: "model.completed", step: 1, durationMs: 1, reply });
  expect(text.push({ type: "run.completed", status: "completed", silent: true })).toBe("");
});

test("a reset before the first text of its step is harmless", () => {
  const text = completionText("already sent");
  text.push({ type: "text.delta", step: 1, delta: "one" });
  text.push({ type: "step.reset", step: 2 });
  expect(text.push({ type: "text.delta", step: 2, delta: "two" })).toBe("\n\ntwo");
});
