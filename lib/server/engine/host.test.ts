import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import type { Hook } from "@/lib/agent/hooks/hook";
import { defineTool } from "@/lib/agent/tools/tool";
import { type ScriptedReply, type ScriptedStep, scriptedModel } from "@/lib/models/scripted-model";
import { cancelOpenRuns, cancelRun } from "@/lib/server/engine/ending/cancel";
import { forgetProcessState } from "@/lib/server/platform/process-state";
import { tracePort } from "@/lib/server/traces/open-trace";
import { SpanBuffer } from "@/lib/server/traces/recorder";
import {
  addThread,
  eventsToEnd,
  NO_TRACE,
  reached,
  runDatabase,
  say,
  seedThread,
} from "@/lib/testing/fixtures/run-fixture";

const model = (...steps: ScriptedStep[]) => ({ model: scriptedModel(steps) });

/** A tool that works until its signal aborts; `started` resolves when it has begun. */
function endlessTool() {
  const started = Promise.withResolvers<void>();
  const tool = defineTool({
    name: "wait",
    description: "Waits",
    input: z.object({}),
    execute: (_args, { signal }) => {
      started.resolve();
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  return { tool, started: started.promise };
}

describe("runs", () => {
  const { database, startHost, history, statusOf } = runDatabase();

  test("a message becomes a run that leaves history, a transcript and an event log", async () => {
    await seedThread(database());
    await startHost(model("Hello there, Ada."));
    const { runId } = await say(database(), "Hello");
    const events = await eventsToEnd(database(), runId);
    expect(events.map(({ event }) => event.type).filter((type) => type !== "text.delta")).toEqual([
      "run.started",
      "model.started",
      "model.completed",
      "run.completed",
    ]);
    expect(events[0]?.event).toMatchObject({ agent: { name: "Test agent", version: 1 } });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(await history()).toEqual(["user: Hello", "assistant: Hello there, Ada."]);
    const transcript = await database().transcriptMessage.findMany({ orderBy: { position: "asc" } });
    expect(transcript.map(({ role, parts }) => [role, JSON.parse(parts)])).toEqual([
      ["user", [{ type: "text", text: "Hello" }]],
      ["assistant", [{ type: "step-start" }, { type: "text", text: "Hello there, Ada.", state: "done" }]],
    ]);
  });

  /** What the model reads and people see: three messages, each followed by its answer. */
  async function expectAnsweredInOrder(): Promise<void> {
    expect(await history()).toEqual([
      "user: 1",
      "assistant: one",
      "user: 2",
      "assistant: two",
      "user: 3",
      "assistant: three",
    ]);
    const transcript = await database().transcriptMessage.findMany({ orderBy: { position: "asc" } });
    expect(transcript.map(({ text }) => text)).toEqual(["1", "one", "2", "two", "3", "three"]);
  }

  test("messages to a busy thread are answered one after the other, in order", async () => {
    await seedThread(database());
    await startHost(model("one", "two", "three"));
    const runs = await Promise.all(["1", "2", "3"].map((text) => say(database(), text)));
    for (const { runId } of runs) await eventsToEnd(database(), runId);
    await expectAnsweredInOrder();
  });

  test("queued runs survive a restart, in order", async () => {
    await seedThread(database());
    const runs = [await say(database(), "1"), await say(database(), "2")];
    await startHost(model("one", "two"));
    for (const { runId } of runs) await eventsToEnd(database(), runId);
    expect(await history()).toEqual(["user: 1", "assistant: one", "user: 2", "assistant: two"]);
  });

  test("messages are answered in the order of the thread, however the clock of the server that took them was set", async () => {
    await seedThread(database());
    vi.useFakeTimers({ toFake: ["Date"] });
    const runs: string[] = [];
    for (const [text, hour] of [
      ["1", 12],
      ["2", 9],
      ["3", 15],
    ] as const) {
      vi.setSystemTime(new Date(`2026-01-01T${String(hour).padStart(2, "0")}:00:00Z`));
      runs.push((await say(database(), text)).runId);
    }
    vi.useRealTimers();
    await startHost(model("one", "two", "three"));
    for (const runId of runs) await eventsToEnd(database(), runId);
    await expectAnsweredInOrder();
  });

  test("the same idempotency key is the same run, even sent twice at once", async () => {
    await seedThread(database());
    const sent = await Promise.all([1, 2, 3].map(() => say(database(), "once", { idempotencyKey: "k" })));
    expect(new Set(sent.map(({ runId }) => runId)).size).toBe(1);
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1);
    expect(await database().transcriptMessage.count()).toBe(1);
  });

  test("an idempotency key that was another message's is refused, so that no message is lost", async () => {
    await seedThread(database());
    await say(database(), "one", { idempotencyKey: "k" });
    await expect(say(database(), "two", { idempotencyKey: "k" })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("with a key of its own"),
    });
    expect(await database().transcriptMessage.count()).toBe(1);
  });

  test("no more runs are accepted than may be queued, and nothing of the message is stored", async () => {
    await seedThread(database());
    vi.stubEnv("RINGMASTER_MAX_QUEUED", "2");
    forgetProcessState("environment");
    onTestFinished(() => {
      vi.unstubAllEnvs();
      forgetProcessState("environment");
    });
    for (const text of ["1", "2"]) await say(database(), text);
    await expect(say(database(), "3")).rejects.toMatchObject({
      code: "unavailable",
      details: { retryAfterSeconds: 60 },
    });
    expect(await database().run.count()).toBe(2);
  });

  test("an agent that rejects a second message answers busy, and what to do", async () => {
    await seedThread(database(), { threads: { on_busy: "reject" } });
    await say(database(), "1");
    await expect(say(database(), "2")).rejects.toMatchObject({
      code: "busy",
      message: expect.stringContaining("Wait until it has, or stop it."),
    });
  });

  test("an agent that interrupts cancels the current run and runs the new message", async () => {
    await seedThread(database(), { threads: { on_busy: "interrupt" } });
    const scripted = model({ text: "never", gate: new Promise(() => {}) }, "second");
    await startHost(scripted);
    const first = await say(database(), "1");
    await reached(() => scripted.model.requests.length === 1);
    const second = await say(database(), "2");
    await eventsToEnd(database(), second.runId);
    expect(await statusOf(first.runId)).toBe("cancelled");
    expect(await history()).toEqual(["user: 1", "user: 2", "assistant: second"]);
  });

  test("a queued run that is cancelled ends without running, and the thread continues", async () => {
    await seedThread(database());
    const first = await say(database(), "1");
    await cancelRun(database(), first.runId, "u1");
    await cancelRun(database(), first.runId, "u1");
    const events = await eventsToEnd(database(), first.runId);
    expect(events.map(({ event }) => event.type)).toEqual(["run.started", "run.cancelled"]);
    await startHost(model("two"));
    await eventsToEnd(database(), (await say(database(), "2")).runId);
    expect(await history()).toEqual(["user: 1", "user: 2", "assistant: two"]);
  });

  test("queued runs of one thread can end at the same moment", async () => {
    await seedThread(database());
    const runs = [];
    for (const text of ["1", "2", "3", "4"]) runs.push(await say(database(), text));
    await Promise.all(runs.map(({ runId }) => cancelRun(database(), runId, "u1")));
    expect(await Promise.all(runs.map(({ runId }) => statusOf(runId)))).toEqual(runs.map(() => "cancelled"));
    // A message that was only queued leaves nothing behind.
    expect(await history()).toEqual(["user: 1"]);
  });

  test("a cancel in a model call keeps the partial text and is idempotent", async () => {
    await seedThread(database());
    await startHost(model({ text: "Partial text", gateAfterText: new Promise(() => {}) }, "next"));
    const { runId } = await say(database(), "go");
    await reached(async () => (await database().runEvent.count({ where: { runId, type: "text.delta" } })) > 0);
    await Promise.all([cancelRun(database(), runId, "u1"), cancelRun(database(), runId, "u1")]);
    await eventsToEnd(database(), runId);
    await cancelRun(database(), runId, "u1");
    expect(await statusOf(runId)).toBe("cancelled");
    expect(await history()).toEqual(["user: go", "assistant: Partial text"]);
    await eventsToEnd(database(), (await say(database(), "again")).runId);
    expect(await history()).toContain("assistant: next");
  });

  test("a cancel in a tool stops it and gives its call a result", async () => {
    await seedThread(database());
    const { tool, started } = endlessTool();
    await startHost({ ...model({ calls: [{ name: "wait" }] }), tools: [tool] });
    const { runId } = await say(database(), "go");
    await started;
    await cancelOpenRuns(database(), { threadId: "th1" }, "u1");
    const events = await eventsToEnd(database(), runId);
    expect(events.at(-1)?.event).toEqual({ type: "run.cancelled", by: "u1" });
    expect((await history()).at(-1)).toMatch(/^tool: cancelled/);
  });

  test("a cancel that arrives from another process while a run pauses for a decision ends it", async () => {
    await seedThread(database());
    const { tool } = endlessTool();
    const asks: Hook = {
      name: "asks",
      wrapToolCall: async ({ id }) => ({ kind: "pending", toolCallId: id, reason: "approval" }),
    };
    const stop = { cancelRequestedAt: new Date(), cancelledBy: "u1" };
    const suspend = async () => {
      await database().run.updateMany({ data: stop });
    };
    await startHost({
      ...model({ calls: [{ name: "wait" }] }),
      tools: [tool],
      hooks: [asks],
      traces: { ...tracePort(database(), new SpanBuffer(database())), open: async () => ({ ...NO_TRACE, suspend }) },
    });
    const { runId } = await say(database(), "go");
    expect((await eventsToEnd(database(), runId)).at(-1)?.event).toEqual({ type: "run.cancelled", by: "u1" });
    expect(await statusOf(runId)).toBe("cancelled");
  });

  test("the time that a run waited does not count towards its limit", async () => {
    await seedThread(database(), { timeouts: { run_ms: 60_000 } });
    const hourMs = 3_600_000;
    const startedAt = new Date(Date.now() - hourMs);
    const runs = [];
    for (const waitedMs of [hourMs - 1_000, 0]) {
      const threadId = `waited ${waitedMs}`;
      await addThread(database(), threadId);
      const { runId } = await say(database(), "go on", { threadId });
      await database().run.update({ where: { id: runId }, data: { startedAt, waitedMs, segment: 1 } });
      runs.push(runId);
    }
    const gate = Promise.withResolvers<void>();
    await startHost(model({ text: "done", gate: gate.promise }, { text: "done", gate: gate.promise }));
    await eventsToEnd(database(), runs[1] ?? "");
    gate.resolve();
    await eventsToEnd(database(), runs[0] ?? "");
    expect(await Promise.all(runs.map(statusOf))).toEqual(["completed", "failed"]);
  });

  test("a run that takes longer than its limit fails with timeout and frees its thread", async () => {
    await seedThread(database(), { timeouts: { run_ms: 50 } });
    await startHost(model({ text: "slow", gate: new Promise(() => {}) }));
    const { runId } = await say(database(), "go");
    expect((await eventsToEnd(database(), runId)).at(-1)?.event).toMatchObject({
      error: { code: "timeout", message: expect.stringContaining("its limit of 0.05 s (timeouts.run_ms)") },
    });
    expect(await history()).toEqual(["user: go"]);
  });

  test("a failed run keeps its message and can be retried without showing it twice", async () => {
    await seedThread(database());
    await startHost(model({ error: new Error("provider is down") }, "now it works"));
    const failed = await say(database(), "go");
    await eventsToEnd(database(), failed.runId);
    expect(await statusOf(failed.runId)).toBe("failed");
    const retry = await say(database(), "", { messages: [], continues: { runId: failed.runId, how: "retry" } });
    await eventsToEnd(database(), retry.runId);
    expect(await history()).toEqual(["user: go", "assistant: now it works"]);
    expect(await database().transcriptMessage.count({ where: { role: "user" } })).toBe(1);
    await expect(
      say(database(), "", { messages: [], continues: { runId: failed.runId, how: "retry" } }),
    ).rejects.toMatchObject({
      code: "conflict",
    });
  });

  test.each<[string, ScriptedReply, "continue" | "retry", string[]]>([
    ["an empty answer is asked for again", { text: "" }, "retry", ["user: go"]],
    [
      "an answer that max_tokens cut is continued at the user's word",
      { text: "now it", finishReason: "length" },
      "continue",
      ["user: go", "assistant: now it", "user: Continue."],
    ],
  ])("%s", async (_, first, how, before) => {
    await seedThread(database());
    await startHost(model(first, "now it works"));
    const ended = await say(database(), "go");
    await eventsToEnd(database(), ended.runId);
    const retry = await say(database(), "", { messages: [], continues: { runId: ended.runId, how } });
    await eventsToEnd(database(), retry.runId);
    expect(await history()).toEqual([...before, "assistant: now it works"]);
    const said = await database().transcriptMessage.findMany({ where: { role: "user" }, orderBy: { position: "asc" } });
    expect(said.map(({ text }) => `user: ${text}`)).toEqual(before.filter((line) => line.startsWith("user")));
  });

  test("what a run streamed right before it failed is stored", async () => {
    await seedThread(database());
    await startHost(model({ text: "Half an ans", error: new Error("provider is down") }));
    const { runId } = await say(database(), "go");
    const events = (await eventsToEnd(database(), runId)).map(({ event }) => event);
    expect(events.map((event) => (event.type === "text.delta" ? event.delta : "")).join("")).toBe("Half an ans");
    expect([events[1]?.type, events.at(-1)?.type]).toEqual(["model.started", "run.failed"]);
  });

  test("a hundred runs are running at the same time", async () => {
    await seedThread(database());
    let asked = 0;
    const everybodyAsked = Promise.withResolvers<void>();
    const step: ScriptedStep = () => {
      if (++asked === 100) everybodyAsked.resolve();
      return { text: "done", gate: everybodyAsked.promise };
    };
    await startHost({ ...model(...Array.from({ length: 100 }, () => step)), maxRunsPerUser: 100 });
    const threads = Array.from({ length: 100 }, (_, index) => `many_${index}`);
    for (const id of threads) await addThread(database(), id);
    const runs = await Promise.all(threads.map((threadId) => say(database(), "hi", { threadId })));
    await Promise.all(runs.map(({ runId }) => eventsToEnd(database(), runId)));
    expect(await database().run.count({ where: { status: "completed" } })).toBe(100);
  });

  test("a message that is too long is kept whole and sent cut, with a notice at its end", async () => {
    await seedThread(database(), { max_message_chars: 10 });
    const scripted = scriptedModel(["ok"]);
    await startHost({ model: scripted });
    await eventsToEnd(database(), (await say(database(), "0123456789abcdef")).runId);
    expect(scripted.requests[0]?.messages[0]?.content).toMatch(/^0123456789\n+\[This message was shortened/);
    expect((await database().transcriptMessage.findFirst({ where: { role: "user" } }))?.text).toBe("0123456789abcdef");
  });

  test("NUL is stripped from a message and half a surrogate pair replaced", async () => {
    await seedThread(database());
    await startHost(model("a\u0000b \ud800."));
    await eventsToEnd(database(), (await say(database(), "x\u0000y \udc00")).runId);
    expect(await history()).toEqual(["user: xy \ufffd", "assistant: ab \ufffd."]);
  });

  test("a failure whose text no database accepts still ends its run", async () => {
    await seedThread(database());
    await startHost(model({ error: new Error("It said: \u0000 \ud800.") }));
    const { runId } = await say(database(), "go");
    const last = (await eventsToEnd(database(), runId)).at(-1)?.event;
    const message = "LLM call: It said:  \ufffd.";
    expect(last).toMatchObject({ type: "run.failed", error: { message } });
    expect((await database().run.findUniqueOrThrow({ where: { id: runId } })).errorMessage).toBe(message);
  });
});
