import { expect, test } from "vitest";
import { runWith } from "@/lib/testing/scripted/run-with";
import { missingToolHook } from "./missing-tool";

test.each([
  ["execute", "This agent does not have the tool execute. Find another way, or tell the user."],
  ["Bash", "This agent does not have the tool Bash. Find another way, or tell the user."],
  ["fly", "unknown tool: fly"],
])("a call of %s, which the agent does not have, gives: %s", async (name, text) => {
  const { outcome } = await runWith([{ calls: [{ name, args: {} }] }, "done"], { hooks: [missingToolHook()] });
  expect(outcome.added[2]?.content).toBe(text);
});
