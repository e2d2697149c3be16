import { expect, expectTypeOf, test } from "vitest";
import { hookPhases } from "@/lib/agent/hooks/hook-phases";
import {
  allow,
  ask,
  defineHook,
  definePromptSection,
  defineTool,
  deny,
  guardHook,
  human,
  Messages,
  type ModelReply,
  proceed,
  z,
} from "./ringmaster";
import { buildSection, call, runHook, runTool } from "./testing";
import { toHook } from "./to-hook";

const friday = defineHook({
  name: "no-friday-deploys",
  config: z.object({ tools: z.array(z.string()).default(["execute"]) }),
  create: ({ tools }) => {
    expectTypeOf(tools).toEqualTypeOf<string[]>();
    return guardHook({
      preToolUse: ({ call, now }) =>
        tools.includes(call.name) && new Date(now).getDay() === 5 ? deny("Not on a Friday.") : proceed(),
    });
  },
});

const deploys = { model: [call("execute", { command: "deploy" }), "Done."], tools: { execute: "deployed" } };

test("a guard is tested in three lines", async () => {
  const run = await runHook(friday, { ...deploys, now: "2026-01-02T12:00:00" });
  expect(run.results[0]?.error).toBe("Not on a Friday.");
  expect((await runHook(friday, { ...deploys, now: "2026-01-05T12:00:00" })).results[0]?.output).toBe("deployed");
});

test("the config of a hook is checked by its schema, with its defaults and without unknown fields", async () => {
  const other = await runHook(friday, { ...deploys, config: { tools: [] }, now: "2026-01-02T12:00:00" });
  expect(other.results[0]?.output).toBe("deployed");
  expect(() => runHook(friday, { ...deploys, config: { tool: [] } })).toThrow("the config of no-friday-deploys:");
  expect(friday.configSchema.properties).toHaveProperty("tools");
});

test("a hook without a config takes none", () => {
  const plain = defineHook({ name: "plain", create: () => ({}) });
  expect(plain.parseConfig({})).toEqual({ ok: true, config: {} });
  expect(plain.parseConfig({ a: 1 }).ok).toBe(false);
});

test.each([
  [allow(), "deployed"],
  [proceed(), "deployed"],
  [deny("No."), "No."],
])("the verdict %o gives %s", async (verdict, text) => {
  const hook = defineHook({ name: "verdict", create: () => guardHook({ preToolUse: () => verdict }) });
  const { results } = await runHook(hook, deploys);
  expect(results[0]?.error ?? results[0]?.output).toBe(text);
});

test("an ask leaves the call to a person", async () => {
  const hook = defineHook({ name: "asks", create: () => guardHook({ preToolUse: () => ask("Costs money.") }) });
  const { status, asks } = await runHook(hook, deploys);
  expect([status, asks[0]?.reason]).toEqual(["waiting", "Costs money."]);
});

test("a guard gets S2's state before and after the run", async () => {
  const seen: unknown[] = [];
  const hook = defineHook({
    name: "state",
    create: () =>
      guardHook({
        preGeneration({ state }) {
          state.systemPrompt += " Be brief.";
          state.messages = new Messages(state.messages).human("And politely.").slice();
        },
        postGeneration: ({ state }) => void seen.push(state.response, state.outputMessages.length),
      }),
  });
  const { requests } = await runHook(hook, { model: ["Hi."] });
  expect(requests[0]?.system[0]?.text).toBe("You are a test. Be brief.");
  expect(requests[0]?.messages.map(({ content }) => content)).toEqual(["Hello", "And politely."]);
  expect(seen).toEqual(["Hi.", 2]);
});

test("phases need not return promises", async () => {
  const hook = defineHook({
    name: "plain",
    create: () => ({
      modifyRequest: (request) => ({ ...request, messages: [human("context"), ...request.messages] }),
      afterAgent: (outcome, context) => context.logLine("info", `ended ${outcome.status}`),
    }),
  });
  const { requests, log } = await runHook(hook, { model: ["Hi."] });
  expect(requests[0]?.messages[0]).toEqual(human("context"));
  expect(log).toEqual(["info ended completed"]);
});

test.each<[string, Parameters<typeof toHook>[1], string]>([
  ["no request", { modifyRequest: () => undefined as never }, "hook bad modify_request: it returned no request"],
  ["no reply", { wrapModelCall: () => undefined as never }, "hook bad wrap_model_call: it returned no reply"],
  ["half a reply", { wrapModelCall: () => ({ content: "x" }) as never }, "its reply is not complete: reasoning"],
  ["next without a request", { wrapModelCall: (_, next) => next(undefined as never) }, "call next(request)"],
])("a hook that returns %s hears of it", async (_, phases, problem) => {
  const { error } = await runHook(defineHook({ name: "bad", create: () => phases }), { model: ["Hi."] });
  expect(error?.message).toContain(problem);
});

test("a whole reply of a hook's own replaces the model's", async () => {
  const kept: ModelReply[] = [];
  const hook = defineHook({
    name: "cache",
    create: () => ({
      async wrapModelCall(request, next) {
        const [known] = kept;
        if (known) return structuredClone(known);
        kept.push(await next(request));
        return kept[0] as ModelReply;
      },
    }),
  });
  await runHook(hook, { model: ["Once."] });
  expect((await runHook(hook, { model: [] })).response).toBe("Once.");
});

test("a guard and a phase that it needs itself are refused together", () => {
  const phases = { ...guardHook({ preToolUse: () => allow() }), wrapToolCall: async () => ({}) as never };
  expect(() => toHook("both", phases)).toThrow("hook both has preToolUse in its guard and wrapToolCall beside it");
});

test("the matrix shows the phases of a guard and of the hook around it", () => {
  const guard = guardHook({ preToolUse: () => allow(), postGeneration: () => undefined });
  const hook = toHook("both", { ...guard, modifyRequest: (request) => request });
  expect(hookPhases(hook)).toEqual(["modify_request", "pre_tool_use", "after_agent"]);
});

test("a tool gets checked arguments and the run, and a throw is what the model reads", async () => {
  const tool = defineTool({
    name: "greet",
    description: "Greets.",
    input: z.object({ name: z.string() }),
    execute({ name }, { userId, call, step }) {
      if (name === "Bob") throw new Error("Bob is away. Greet somebody else.");
      return `Hello ${name} from ${userId}, ${call.name} in step ${step}`;
    },
  });
  expect((await runTool(tool, { name: "Ann" })).output).toBe("Hello Ann from user_1, greet in step 1");
  expect((await runTool(tool, { name: "Bob" })).error).toBe("Bob is away. Greet somebody else.");
  expect((await runTool(tool, {})).error).toMatch(/^invalid arguments: name/);
});

test("a tool that returns something else than text says so", async () => {
  const tool = defineTool({ name: "odd", description: "", input: z.object({}), execute: () => 42 as never });
  expect((await runTool(tool, {})).error).toContain("returned neither a text nor {output}");
});

test("a section is built from facts", () => {
  const section = definePromptSection({ name: "who", modes: [], build: ({ user }) => `You talk to ${user.name}.` });
  expect(buildSection(section)).toBe("You talk to Ada.");
});

test.each<[() => unknown, string]>([
  [() => defineHook({ name: "", create: () => ({}) }), "defineHook: name must be 1 to 64 letters"],
  [() => defineHook({ name: "a", create: 1 as never }), "defineHook a: create must be a function."],
  [() => defineHook({ name: "a", config: {} as never, create: () => ({}) }), "the schema must be made with z"],
  [() => defineTool({ name: "a", description: "", input: {} as never, execute: () => "" }), "defineTool a: the schema"],
  [
    () => definePromptSection({ name: "a", modes: ["all" as never], build: () => "" }),
    'a list of "full" and "minimal"',
  ],
])("a wrong definition throws where it stands: %#", (define, message) => {
  expect(define).toThrow(message);
});
