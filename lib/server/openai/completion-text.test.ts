import { expect, test } from "vitest";
import { completionText } from "./completion-text";

test("text that was sent can't be taken back", () => {
  const text = completionText("already sent");
  text.push({ type: "text.delta", step: 1, delta: "half" });
  expect(() => text.push({ type: "step.reset", step: 1 })).toThrow("Send the request again");
});

test("a reset before the first text of its step is harmless", () => {
  const text = completionText("already sent");
  text.push({ type: "text.delta", step: 1, delta: "one" });
  text.push({ type: "step.reset", step: 2 });
  expect(text.push({ type: "text.delta", step: 2, delta: "two" })).toBe("\n\ntwo");
});
