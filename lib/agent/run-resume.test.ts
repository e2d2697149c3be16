import { expect, test } from "vitest";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import { runWith } from "@/lib/testing/scripted/run-with";
import { echoTool } from "@/lib/testing/scripted/test-tools";
import { findOpenStep, foldJournal, latestTodos } from "./journal";

const script = [
  {
    text: "Looking.",
    calls: [
      { name: "look", id: "id_a", args: { text: "a" } },
      { name: "look", id: "id_b", args: { text: "b" } },
    ],
  },
  { text: "Writing.", calls: [{ name: "write", id: "id_c", args: { text: "c" } }] },
  {
    text: "Sending.",
    calls: [
      { name: "send", id: "id_d", args: { text: "d" } },
      { name: "look", id: "id_e", args: { text: "e" } },
    ],
  },
  "All done.",
];

/** Three tools: one reads, one may run twice, one must not. */
function tools(runs: string[]) {
  return [
    echoTool({ name: "look", annotations: { readOnly: true }, runs }),
    echoTool({ name: "write", annotations: { idempotent: true }, runs }),
    echoTool({ name: "send", annotations: { openWorld: true }, runs }),
  ];
}

const whole = await runWith(script, { tools: tools([]) });
const cuts = whole.events.map((event, index) => [index, event.type] as const);

async function resumeAfter(count: number) {
  const runs: string[] = [];
  const before = whole.events.slice(0, count);
  const finishedReplies = before.filter((event) => event.type === "model.completed").length;
  const resumed = await runWith(script.slice(finishedReplies), { tools: tools(runs), events: before, segment: 1 });
  return { ...resumed, before, runs };
}

const callIds = (events: readonly RunEvent[], type: "tool.call" | "tool.result") =>
  events.flatMap((event) => {
    if (event.type === "tool.call" && type === "tool.call") return [event.call.id];
    if (event.type === "tool.result" && type === "tool.result") return [event.result.toolCallId];
    return [];
  });

test.each(cuts)("a run that died after event %d (%s) continues and ends as it would have", async (count) => {
  const { outcome, before, events } = await resumeAfter(count);
  expect(outcome).toMatchObject({ status: "completed", response: "All done.", steps: 4 });
  expect(outcome.added.map((message) => message.role)).toEqual(whole.outcome.added.map((message) => message.role));
  expect(outcome.added.map((message) => message.id)).toEqual(whole.outcome.added.map((message) => message.id));
  const all = [...before, ...events];
  for (const type of ["tool.call", "tool.result"] as const) {
    expect(callIds(all, type).toSorted()).toEqual(callIds(whole.events, type).toSorted());
  }
});

test.each(cuts)("no finished call runs again after event %d (%s)", async (count) => {
  const { before, runs } = await resumeAfter(count);
  const finished = before.flatMap((event) => (event.type === "tool.result" ? [event.result.output] : []));
  for (const text of runs) expect(finished).not.toContain(`echo ${text}`);
});

test("an in-flight call that changes the world is not repeated: the model reads that its outcome is unknown", async () => {
  const count = whole.events.findIndex((event) => event.type === "tool.call" && event.call.name === "send") + 1;
  const { runs, outcome } = await resumeAfter(count);
  expect(runs).not.toContain("d");
  const contents = outcome.added.flatMap((message) => (message.role === "tool" ? [message.content] : []));
  expect(contents).toContain("interrupted: outcome unknown, check before repeating");
});

test("an in-flight call that only reads runs again without a second intent", async () => {
  const count = whole.events.findIndex((event) => event.type === "tool.call") + 1;
  const { runs, events } = await resumeAfter(count);
  expect(runs.slice(0, 2)).toEqual(["a", "b"]);
  expect(events.filter((event) => event.type === "tool.call")[0]).toMatchObject({ call: { args: { text: "b" } } });
});

test("text streamed by a reply that was not stored is voided", async () => {
  const { events } = await resumeAfter(2);
  expect(events[0]).toEqual({ type: "step.reset", step: 1 });
  expect(events.filter((event) => event.type === "model.started" && event.step === 1)).toHaveLength(0);
});

test("a pending call passes through the onion again in the next segment", async () => {
  let isApproved = false;
  const approval = {
    name: "approval",
    wrapToolCall: async (call: { id: string }, next: (call: never) => Promise<never>) =>
      isApproved ? next(call as never) : { kind: "pending" as const, toolCallId: call.id, reason: "approval" as const },
  };
  const steps = [{ calls: [{ name: "send", args: { text: "mail" } }] }];
  const runs: string[] = [];
  const first = await runWith(steps, { tools: tools(runs), hooks: [approval] });
  expect([first.outcome.status, runs]).toEqual(["waiting", []]);
  isApproved = true;
  const second = await runWith(["Sent."], { tools: tools(runs), hooks: [approval], events: first.events, segment: 1 });
  expect([second.outcome.status, runs]).toEqual(["completed", ["mail"]]);
});

test("the loop guard counts failures of earlier segments", async () => {
  const fails = Array.from({ length: 4 }, () => ({ calls: [{ name: "fly" }] }));
  const first = await runWith(fails, { config: { max_iterations: 4 } });
  const { outcome } = await runWith([...fails], { events: first.events, segment: 1 });
  expect(outcome).toMatchObject({ status: "limit", steps: 6 });
});

test("the journal keeps replies, intents and results by step", () => {
  const steps = foldJournal(whole.events);
  expect(steps.map((step) => [step.step, step.started.size, step.results.size])).toEqual([
    [1, 2, 2],
    [2, 1, 1],
    [3, 2, 2],
    [4, 0, 0],
  ]);
});

test("only an unfinished model call is an open step", () => {
  expect(findOpenStep(whole.events)).toBeNull();
  expect(findOpenStep(whole.events.slice(0, 1))).toEqual({ step: 1, streamed: false, streamedChars: 0 });
  expect(findOpenStep(whole.events.slice(0, 2))).toEqual({ step: 1, streamed: true, streamedChars: 8 });
});

test("the run continues with the latest todo list of the events", () => {
  const todos = [{ id: "1", title: "Plan", status: "done" as const }];
  expect(
    latestTodos([
      { type: "todo.updated", todos: [] },
      { type: "todo.updated", todos },
    ]),
  ).toEqual(todos);
  expect(latestTodos(whole.events)).toBeNull();
});
