import { expect, test } from "vitest";
import { ai, human } from "@/lib/agent/messages/messages";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import { runWith } from "@/lib/testing/scripted/run-with";
import { echoTool } from "@/lib/testing/scripted/test-tools";
import { type Guard, guardHook } from "./guard";

test("a guard that adds a message does not undo the shortening of long ones", async () => {
  const adds = guardHook("adds", {
    preGeneration: async ({ state }) => void state.messages.unshift(human("first")),
  });
  const { requests } = await runWith(["ok"], {
    config: { max_message_chars: 3 },
    input: [human("abcdef")],
    hooks: [adds],
  });
  expect(requests[0]?.messages.map(({ content }) => content)).toEqual([
    "first",
    "abc\n\n[This message was shortened: it has 6 characters, of which you see the first 3.]",
  ]);
});

const asks: Guard = { preToolUse: () => ({ verdict: "ask" }) };
const oneCall = { calls: [{ name: "echo", args: { text: "a" } }] };
const agreed: RunEvent = {
  type: "interrupt.decided",
  kind: "approval",
  toolCallId: "call_1",
  decision: "allow",
  by: "u1",
};

/** The first segment waits for a person; the second continues in a new process once she has approved. */
async function runInTwoSegments(prepare: NonNullable<Guard["preGeneration"]>, config = {}) {
  let prepared = 0;
  const build = () => [
    guardHook("prepares", {
      preGeneration(facts) {
        prepared += 1;
        return prepare(facts);
      },
    }),
    guardHook("asks", asks),
  ];
  const history = [
    { ...human("one"), id: "m1" },
    { ...ai("two"), id: "m2" },
  ];
  const common = { tools: [echoTool()], history, config };
  const first = await runWith([oneCall], { ...common, hooks: build() });
  const events = JSON.parse(JSON.stringify([...first.events, agreed]));
  const second = await runWith(["done"], { ...common, hooks: build(), events, segment: 1 });
  return { first, second, prepared: () => prepared };
}

test("preGeneration runs in the first segment only, and its changes apply in the next", async () => {
  const { first, second, prepared } = await runInTwoSegments(({ state }) => {
    state.systemPrompt = "Prepared.";
    state.messages = [human("context"), ...state.messages.slice(1)];
  });
  expect(prepared()).toBe(1);
  expect(second.outcome.status).toBe("completed");
  for (const request of [first.requests[0], second.requests[0]]) {
    expect(request?.system).toEqual([{ name: "identity", text: "Prepared." }]);
    expect(request?.messages.slice(0, 3).map(({ content }) => content)).toEqual(["context", "two", "go"]);
  }
});

test("after a wait the model reads what hooks prepared and then the run's own reply and results", async () => {
  const { second } = await runInTwoSegments(({ state }) => void state.messages.unshift(human("context")));
  const read = second.requests[0]?.messages.map(({ role, content }) => [role, content]);
  expect(read?.slice(0, 4)).toEqual([
    ["user", "context"],
    ["user", "one"],
    ["assistant", "two"],
    ["user", "go"],
  ]);
  expect(read?.slice(4).map(([role]) => role)).toEqual(["assistant", "tool"]);
});

test("values set by preGeneration are available in the next segment and in postGeneration", async () => {
  const seen: unknown[] = [];
  const remember: Guard = {
    preGeneration: ({ state }) => void state.values.set("plan", { name: "gold" }),
    preToolUse: ({ context }) => {
      seen.push(context.values.get("plan"));
      return { verdict: "ask" };
    },
    postGeneration: ({ state }) =>
      void seen.push(state.values.get("plan"), state.response, state.outputMessages.length),
  };
  const first = await runWith([oneCall], { tools: [echoTool()], hooks: [guardHook("remembers", remember)] });
  const events = [...first.events, agreed];
  await runWith(["done"], { tools: [echoTool()], hooks: [guardHook("remembers", remember)], events, segment: 1 });
  expect(seen).toEqual([{ name: "gold" }, { name: "gold" }, { name: "gold" }, "done", 4]);
});

test("a value that is not plain JSON is reported as lost", async () => {
  const hook = guardHook("g", { preGeneration: ({ state }) => void state.values.set("now", () => 1) });
  const { logLines } = await runWith(["ok"], { hooks: [hook] });
  expect(logLines).toEqual([
    'warn the value "now" of a hook is not plain JSON: a later segment of the run will not have it',
  ]);
});

test("a process that died before anything was journalled prepares again", async () => {
  const seen: string[] = [];
  const hook = guardHook("g", { preGeneration: ({ state }) => void seen.push(state.systemPrompt) });
  await runWith(["ok"], { hooks: [hook], segment: 1 });
  expect(seen).toEqual(["You are a test."]);
});

test("a guard added in a later segment no longer prepares the run", async () => {
  const first = await runWith([oneCall], { tools: [echoTool()], hooks: [guardHook("asks", asks)] });
  const events = [...first.events, agreed];
  const late = guardHook("late", {
    preGeneration: ({ state }) => {
      state.systemPrompt = "Late.";
    },
  });
  const second = await runWith(["done"], { tools: [echoTool()], hooks: [late], events, segment: 1 });
  expect(second.requests[0]?.system[0]?.text).toBe("You are a test.");
});

test("a guard's in-place change is sent and leaves the stored message unchanged", async () => {
  const edits = guardHook("edits", {
    preGeneration: ({ state }) => {
      for (const message of state.messages) message.content = message.content.toUpperCase();
    },
  });
  const { requests, outcome } = await runWith(["ok"], { hooks: [edits] });
  expect(requests[0]?.messages[0]?.content).toBe("GO");
  expect(outcome.added[0]?.content).toBe("go");
});

test("an event contains only the guard's messages, not the whole conversation", async () => {
  const history = Array.from({ length: 50 }, (_, index) => human(`message ${index}`));
  const adds = guardHook("adds", { preGeneration: ({ state }) => void state.messages.splice(50, 0, human("context")) });
  const { events } = await runWith(["ok"], { history, hooks: [adds] });
  expect(events.find(({ type }) => type === "generation.prepared")).toEqual({
    type: "generation.prepared",
    messages: [{ from: null, to: 1 }, { message: human("context") }, { from: 1, to: 0 }],
  });
});

test("a guard that only looks leaves an event without changes", async () => {
  const looks = guardHook("looks", { preGeneration: () => undefined });
  const { events } = await runWith(["ok"], { hooks: [looks] });
  expect(events.find(({ type }) => type === "generation.prepared")).toEqual({ type: "generation.prepared" });
});
