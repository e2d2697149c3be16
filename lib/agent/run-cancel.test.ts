import { expect, test } from "vitest";
import type { ScriptedStep } from "@/lib/models/scripted-model";
import { AppError } from "@/lib/schema/app-error";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import { runWith, type TestRun } from "@/lib/testing/scripted/run-with";
import { actionTool, echoTool } from "@/lib/testing/scripted/test-tools";
import { RunCancelled, RunSuspended } from "./run-cancelled";

const echo = echoTool();
const never = new Promise<never>(() => {});

/** Runs, and aborts as soon as an event matches the check. */
async function abortAt(
  when: (event: RunEvent) => boolean,
  steps: readonly ScriptedStep[],
  options: TestRun & { reason?: unknown } = {},
) {
  const controller = new AbortController();
  const onEvent = (event: RunEvent) => {
    if (when(event)) controller.abort(options.reason ?? new RunCancelled("user_1"));
  };
  return runWith(steps, { ...options, signal: controller.signal, onEvent });
}

test("a run cancelled before it starts calls no model", async () => {
  const { outcome, requests } = await runWith(["never"], { signal: AbortSignal.abort(new RunCancelled("user_1")) });
  expect(outcome).toMatchObject({ status: "cancelled", steps: 0 });
  expect(requests).toHaveLength(0);
});

test("a cancel while the reply streams keeps the partial text", async () => {
  const { outcome } = await abortAt(
    (event) => event.type === "text.delta",
    [{ text: "Half of", gateAfterText: never }],
  );
  expect(outcome).toMatchObject({ status: "cancelled", response: "Half of" });
  expect(outcome.added.at(-1)).toMatchObject({ role: "assistant", content: "Half of", toolCalls: [] });
});

test("a cancel during a tool call stops it and gives every open call a result that says so", async () => {
  const slow = actionTool("slow", (_, { signal }) => {
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  const calls = [{ name: "echo", args: { text: "a" } }, { name: "slow" }];
  const { outcome, events } = await abortAt((event) => event.type === "tool.result", [{ calls }], {
    tools: [echo, slow],
  });
  expect(outcome.status).toBe("cancelled");
  const contents = outcome.added.flatMap((message) => (message.role === "tool" ? [message.content] : []));
  expect(contents).toEqual(["echo a", expect.stringContaining("cancelled")]);
  expect(events.filter((event) => event.type === "tool.result")).toHaveLength(2);
});

test("a tool's partial output at a cancel is kept as its result", async () => {
  const command = actionTool("command", (_, { signal }) => {
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve("half of the output")));
  });
  const { outcome } = await abortAt((event) => event.type === "tool.call", [{ calls: [{ name: "command" }] }], {
    tools: [command],
    onCommit: () => new Promise((resolve) => setImmediate(resolve)),
  });
  expect(outcome.status).toBe("cancelled");
  expect(outcome.added.at(-1)).toMatchObject({ role: "tool", content: expect.stringContaining("cancelled") });
});

test("calls that had not started are also closed, which completes every stream", async () => {
  const calls = ["a", "b", "c"].map((text) => ({ name: "echo", args: { text } }));
  const { outcome, events } = await abortAt((event) => event.type === "tool.result", [{ calls }], {
    tools: [echo],
    config: { tool_settings: { max_parallel: 1 } },
  });
  expect(outcome.status).toBe("cancelled");
  expect(events.filter((event) => event.type === "tool.call")).toHaveLength(3);
  expect(events.filter((event) => event.type === "tool.result")).toHaveLength(3);
});

test("an AppError as the abort reason fails the run with it", async () => {
  const reason = new AppError("timeout", "The run took longer than 30 minutes.");
  const { outcome } = await abortAt((event) => event.type === "text.delta", [{ text: "x", gateAfterText: never }], {
    reason,
  });
  expect(outcome).toMatchObject({ status: "failed", error: { code: "timeout", message: reason.message } });
});

test("a suspension is thrown, and afterAgent does not run", async () => {
  const hook = { name: "save", afterAgent: () => expect.unreachable("the run has not ended") };
  const run = abortAt((event) => event.type === "text.delta", [{ text: "x", gateAfterText: never }], {
    reason: new RunSuspended("shutting down"),
    hooks: [hook],
  });
  await expect(run).rejects.toThrow("shutting down");
});

test("a result returned because of a suspension is not recorded", async () => {
  const command = actionTool("command", (_, { signal }) => {
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve("killed by the shutdown")));
  });
  const events: RunEvent[] = [];
  const controller = new AbortController();
  const run = runWith([{ calls: [{ name: "command" }] }], {
    tools: [command],
    signal: controller.signal,
    onEvent: (event) => {
      events.push(event);
      if (event.type === "tool.call") setImmediate(() => controller.abort(new RunSuspended("shutting down")));
    },
  });
  await expect(run).rejects.toThrow("shutting down");
  expect(events.some((event) => event.type === "tool.result")).toBe(false);
});

test("a lost lease is thrown although nothing was aborted", async () => {
  const onCommit = () => {
    throw new RunSuspended("lease lost");
  };
  await expect(runWith(["hi"], { onCommit })).rejects.toThrow("lease lost");
});

test("afterAgent sees a cancelled run", async () => {
  const seen: string[] = [];
  const hook = { name: "save", afterAgent: async ({ status }: { status: string }) => void seen.push(status) };
  await abortAt((event) => event.type === "text.delta", [{ text: "x", gateAfterText: never }], { hooks: [hook] });
  expect(seen).toEqual(["cancelled"]);
});
