import { expect, test } from "vitest";
import { z } from "zod";
import type { ToolMessage } from "@/lib/schema/message";
import { runWith } from "@/lib/testing/run-with";
import { defineTool } from "./tool";

const echo = defineTool({
  name: "echo",
  description: "Says it again.",
  input: z.object({ text: z.string() }),
  annotations: { readOnly: true },
  execute: async ({ text }) => `echo ${text}`,
});

const call = (text: string, id?: string) => ({ name: "echo", args: { text }, ...(id ? { id } : {}) });

test("a reply without tool calls ends the run with its text", async () => {
  const { outcome, events } = await runWith(["Hello there."]);
  expect(outcome).toMatchObject({ status: "completed", response: "Hello there.", steps: 1 });
  expect(outcome.notice).toBeUndefined();
  expect(outcome.added.map((message) => message.role)).toEqual(["user", "assistant"]);
  expect(events.map((event) => event.type)).toEqual(["model.started", "text.delta", "text.delta", "model.completed"]);
});

test("tool results reach the model in the order of the calls", async () => {
  const { outcome, requests } = await runWith([{ calls: [call("a"), call("b")] }, "done"], { tools: [echo] });
  expect(outcome.status).toBe("completed");
  const results = requests[1]?.messages.filter((message): message is ToolMessage => message.role === "tool");
  expect(results?.map((message) => message.content)).toEqual(["echo a", "echo b"]);
});

test("a step takes two commits: the reply with its intents, then the results", async () => {
  const { commits, events } = await runWith([{ calls: [call("a")] }, "done"], { tools: [echo] });
  expect(commits).toEqual(["normal", "normal", "normal"]);
  expect(events.map((event) => event.type)).toEqual([
    "model.started",
    "tool.input",
    "model.completed",
    "tool.call",
    "tool.result",
    "model.started",
    "text.delta",
    "model.completed",
  ]);
});

test("the model is asked exactly max_iterations times, then the run ends with a notice", async () => {
  const steps = [1, 2, 3].map((n) => ({ text: `step ${n}`, calls: [call(String(n))] }));
  const { outcome, requests } = await runWith(steps, { tools: [echo], config: { max_iterations: 3 } });
  expect(requests).toHaveLength(3);
  expect(outcome).toMatchObject({ status: "limit", steps: 3, response: "step 3" });
  expect(outcome.notice).toContain("3 model calls");
  expect(outcome.added.at(-1)).toMatchObject({ role: "tool", content: "echo 3" });
});
