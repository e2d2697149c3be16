import fc from "fast-check";
import { expect, test } from "vitest";
import { guardHook } from "@/lib/agent/hooks/guard";
import type { Hook } from "@/lib/agent/hooks/hook";
import { repairHistory } from "@/lib/context/history/repair";
import type { Message } from "@/lib/schema/messages/message";
import { runWith } from "@/lib/testing/scripted/run-with";
import { echoTool } from "@/lib/testing/scripted/test-tools";
import { checkChain } from "./check-chain";
import { ai, human, tool } from "./messages";

const call = { id: "call_1", name: "echo", args: { text: "a" } };
const oneCall = { calls: [{ name: "echo", args: { text: "a" } }] };

/** The error of a run in which the hook changes the messages of each request. */
async function errorOf(change: (messages: readonly Message[]) => readonly Message[]) {
  const hook: Hook = {
    name: "breaks",
    modifyRequest: async (request) => ({ ...request, messages: change(request.messages) }),
  };
  const { outcome, requests } = await runWith([oneCall, "done"], { tools: [echoTool()], hooks: [hook] });
  return { ...outcome.error, asked: requests.length };
}

test.each<[string, (messages: readonly Message[]) => readonly Message[]]>([
  ['message 1 (robot) is invalid: unknown role "robot"', () => [{ role: "robot", content: "x" } as never]],
  ["message 2 (user) is invalid: content must not be empty", (messages) => [...messages, human("")]],
  ["message 2 (assistant) is invalid: an assistant message needs content or calls", (it) => [...it, ai("")]],
  [
    "message 2 (assistant) is invalid: an assistant message needs toolCalls, an empty list when it calls nothing",
    (it) => [...it, { role: "assistant", content: "hi" } as never],
  ],
  ["message 1 (tool) is invalid: a tool message needs toolCallId and name", (it) => [tool("", "echo", "x"), ...it]],
  [
    'message 2 (tool) is a tool result without its call: the reply right before it does not call "call_9"',
    (it) => [...it, tool("call_9", "echo", "x")],
  ],
  ["message 1 is not a message", () => [null as never]],
  ["message 1 (user) is invalid: content must be text", () => [{ role: "user" } as never]],
])("a hook that breaks the messages fails the run: %s", async (problem, change) => {
  const { code, message, asked } = await errorOf(change);
  expect({ code, message, asked }).toEqual({
    code: "invalid_chain",
    message: `hook breaks modify_request: ${problem}`,
    asked: 0,
  });
});

test("names the hook that drops a reply but keeps its results, in the step in which it does so", async () => {
  const { message, asked } = await errorOf((messages) => messages.filter(({ role }) => role !== "assistant"));
  expect(message).toBe(
    'hook breaks modify_request: message 2 (tool) is a tool result without its call: the reply right before it does not call "call_1"',
  );
  expect(asked).toBe(1);
});

test("names a hook that returns a request without messages", async () => {
  const { message } = await errorOf(() => undefined as never);
  expect(message).toBe(
    "hook breaks modify_request returned no list of messages. Return the request with its messages.",
  );
});

test("notices a hook that adds to the list in place", async () => {
  const { message } = await errorOf((messages) => {
    (messages as Message[]).push(human(""));
    return messages;
  });
  expect(message).toBe("hook breaks modify_request: message 2 (user) is invalid: content must not be empty");
});

test("names the hook that broke the messages, not a later one", async () => {
  const seen: string[] = [];
  const breaks: Hook = { name: "breaks", modifyRequest: async (it) => ({ ...it, messages: [human("")] }) };
  const after: Hook = {
    name: "after",
    modifyRequest: async (it) => {
      seen.push("after");
      return it;
    },
  };
  const { outcome } = await runWith(["ok"], { hooks: [breaks, after] });
  expect(outcome.error?.message).toContain("hook breaks modify_request");
  expect(seen).toEqual([]);
});

test("a ring that passes on broken messages fails the run before a provider is called", async () => {
  const ring: Hook = {
    name: "ring",
    wrapModelCall: (request, next) => next({ ...request, messages: [...request.messages, human("")] }),
  };
  const { outcome, requests } = await runWith(["ok"], { hooks: [ring] });
  expect(outcome.error).toEqual({
    code: "invalid_chain",
    message: "hook ring wrap_model_call: message 2 (user) is invalid: content must not be empty",
  });
  expect(requests).toEqual([]);
});

test("a ring that answers with a call without a name fails the run", async () => {
  const ring: Hook = {
    name: "ring",
    async wrapModelCall(request, next) {
      const reply = await next(request);
      return { ...reply, toolCalls: [{ id: "x", name: "", args: {}, rawArgs: "{}" }] };
    },
  };
  const { outcome } = await runWith(["ok"], { hooks: [ring] });
  expect(outcome.error).toEqual({
    code: "invalid_chain",
    message: "hook ring wrap_model_call: its reply has a tool call without a name",
  });
});

test("a model that calls a tool without a name reads that there is none, and the run continues", async () => {
  const { outcome, requests } = await runWith([{ calls: [{ name: "" }] }, "done"]);
  expect(outcome.status).toBe("completed");
  expect(requests[1]?.messages.at(-1)).toMatchObject({ name: "unnamed", content: "unknown tool: unnamed" });
});

test("names a guard that breaks the messages before the run", async () => {
  const guard = guardHook("prepares", { preGeneration: ({ state }) => void state.messages.push(human("")) });
  const edits = guardHook("edits", {
    preGeneration: ({ state }) => {
      for (const message of state.messages) message.content = "";
    },
  });
  const added = await runWith(["ok"], { hooks: [guard] });
  const edited = await runWith(["ok"], { hooks: [edits] });
  expect(added.outcome.error).toEqual({
    code: "invalid_chain",
    message: "hook prepares before_agent: message 2 (user) is invalid: content must not be empty",
  });
  expect(edited.outcome.error?.message).toBe(
    "hook edits before_agent: message 1 (user) is invalid: content must not be empty",
  );
});

test("checks only what a hook has changed, however long the history is", () => {
  let looks = 0;
  const countLook = () => {
    looks += 1;
    return "user";
  };
  const history = Array.from({ length: 1_000 }, (_, index) => {
    const message = human(`message ${index}`);
    return Object.defineProperty({ ...message }, "role", { get: countLook, enumerable: true }) as Message;
  });
  const before = { messages: history, length: history.length };
  checkChain([human("first"), ...history], "x", before);
  checkChain([...history, ai("", call), tool("call_1", "echo", "a")], "x", before);
  expect(looks).toBeLessThan(10);
});

const message = fc.oneof(
  fc.constant(human("u")),
  fc.constant(human("")),
  fc.constantFrom("c1", "c2").map((id) => ai("", { ...call, id })),
  fc.constantFrom("c1", "c2").map((id) => tool(id, "echo", "r")),
  fc.constant(ai("")),
);

/** The straightforward check: every message, with nothing cached. */
function isValid(messages: readonly Message[]): boolean {
  try {
    checkChain(messages, "x", { messages: [], length: 0 });
    return true;
  } catch {
    return false;
  }
}

test("checking only what changed finds what checking everything finds", () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 12 }),
      fc.nat(12),
      fc.nat(4),
      fc.array(message, { maxLength: 3 }),
      (stored, at, count, added) => {
        const valid = repairHistory(stored.map((it) => ({ ...it }))).messages;
        const changed = valid.toSpliced(at, count, ...added);
        const check = () => checkChain(changed, "x", { messages: valid, length: valid.length });
        if (isValid(changed)) expect(check).not.toThrow();
        else expect(check).toThrow("x: message");
      },
    ),
  );
});

test("the history's repair produces a valid list", () => {
  fc.assert(fc.property(fc.array(message, { maxLength: 20 }), (stored) => isValid(repairHistory(stored).messages)));
});
