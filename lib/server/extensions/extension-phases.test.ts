import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { POST as resume } from "@/app/agents/[id]/resume/route";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { createAgent } from "@/lib/server/agents/publish-version";
import { extensionFolder } from "@/lib/testing/files/extension-folder";
import { startRunServer } from "@/lib/testing/servers/run-server";

const NOTE = `import { appendFileSync } from "node:fs";
import path from "node:path";
const note = (seen) => appendFileSync(path.join(import.meta.dirname, "seen.jsonl"), JSON.stringify(seen) + "\\n");
`;

/** A server whose only agent uses `hooks` and the tool greet; `seen` reads what the extensions recorded. */
async function start(
  file: string,
  hooks: NonNullable<RawConfig["hooks"]>,
  script: Parameters<typeof startRunServer>[0],
  config: RawConfig = {},
) {
  const folder = await extensionFolder({ "mine.ts": NOTE + file, "greet.ts": GREET });
  const server = await startRunServer(script);
  onTestFinished(async () => {
    await server.close();
    folder.close();
  });
  const raw = { name: "A", model: "scripted:m", retries: 0, system_prompt: "You are A.", tools: ["greet"], hooks };
  await createAgent(server.services, { agentId: "a", raw: { ...raw, ...config }, createdById: null });
  const body = { thread_id: "t", messages: [{ role: "user", content: "go" }] };
  return {
    server,
    ask: async () => (await server.call(invoke, { as: "member", params: { id: "a" }, body })).json(),
    seen: () =>
      readFileSync(path.join(folder.directory, "seen.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    sent: (at: number) => server.provider.requests[at]?.body.messages?.map(({ role, content }) => [role, content]),
  };
}

const GREET = `import { defineTool, z } from "ringmaster";
export default defineTool({
  name: "greet", description: "Greets.", input: z.object({ name: z.string() }),
  execute: ({ name }, { values }) => \`Hello \${name}, \${values.get("mood")}.\`,
});
`;
const greeting = (...names: string[]) => ({ calls: names.map((name) => ({ name: "greet", args: { name } })) });

const GUARDS = `import { defineHook, deny, guardHook, human, proceed, z } from "ringmaster";
export default [
  defineHook({
    name: "first",
    create: () => guardHook({
      preGeneration({ state }) {
        const { sessionId, userId, systemPrompt, messages } = state;
        note({ phase: "pre", sessionId, userId, systemPrompt, messages: messages.map(({ content }) => content) });
        state.systemPrompt += " First.";
        state.messages.unshift(human("[from the first]"));
        state.values.set("mood", "gladly");
      },
      preToolUse({ tool, call, agent }) {
        note({ phase: "before", tool: tool?.name, args: call.args, agent: [agent.id, agent.config.name] });
        if (call.args.name === "Eve") throw new Error("who is Eve?");
        return call.args.name === "Bob" ? deny("Not Bob.") : proceed();
      },
    }),
  }),
  defineHook({
    name: "second",
    create: () => guardHook({
      preGeneration({ state }) {
        note({ phase: "pre", systemPrompt: state.systemPrompt, first: state.messages[0].content, mood: state.values.get("mood") });
        state.systemPrompt += " Second.";
      },
      postToolUse({ tool, call, agent, result }) {
        note({ phase: "after", tool: tool?.name, id: call.id, agent: agent.id, output: result.output });
        throw new Error("not heard by the model");
      },
      postGeneration({ state, outcome }) {
        const { response, outputMessages, usage, systemPrompt, values } = state;
        const roles = outputMessages.map(({ role }) => role);
        note({ phase: "post", response, roles, input: usage.inputTokens, systemPrompt, mood: values.get("mood"), status: outcome.status });
        throw new Error("the answer stands");
      },
    }),
  }),
];
`;

test("a guard of an extension has S2's state and tool hooks, once per run, also when the run waits for a person", async () => {
  const usage = { input: 10, output: 2 };
  const script = [
    { ...greeting("Ann", "Bob", "Eve"), usage },
    { text: "Greeted.", usage },
  ];
  const permissions = { enabled: true, ask: ["greet"] };
  const { server, ask, seen, sent } = await start(GUARDS, ["tracing", "first", "second"], script, { permissions });
  const waiting = await ask();
  expect(waiting.status).toBe("waiting");
  const decisions = [1, 2, 3].map((at) => ({ tool_call_id: `call_${at}`, decision: "allow" }));
  const body = { thread_id: "t", decisions };
  const resumed = await server.call(resume, { as: "member", params: { id: "a" }, body });
  expect(resumed.status, await resumed.clone().text()).toBe(200);
  await resumed.text();

  const run = await server.database.run.findFirstOrThrow();
  expect([run.status, run.segment]).toEqual(["completed", 1]);
  const notes = seen();
  const of = (phase: string) => notes.filter((note) => note.phase === phase);
  expect(of("pre")).toEqual([
    { phase: "pre", sessionId: run.threadId, userId: "member", systemPrompt: "You are A.", messages: ["go"] },
    { phase: "pre", systemPrompt: "You are A. First.", first: "[from the first]", mood: "gladly" },
  ]);
  expect(of("before")).toContainEqual({ phase: "before", tool: "greet", args: { name: "Ann" }, agent: ["a", "A"] });
  expect(of("after")).toContainEqual(
    expect.objectContaining({ tool: "greet", agent: "a", output: "Hello Ann, gladly." }),
  );
  expect(of("post")).toEqual([
    {
      phase: "post",
      response: "Greeted.",
      roles: ["user", "assistant", "tool", "tool", "tool", "assistant"],
      input: 20,
      systemPrompt: "You are A. First. Second.",
      mood: "gladly",
      status: "completed",
    },
  ]);
  const opening = [
    ["system", "You are A. First. Second."],
    ["user", "[from the first]"],
    ["user", "go"],
  ];
  expect(sent(0)).toEqual(opening);
  expect(sent(1)?.slice(0, 3)).toEqual(opening);
  const results = sent(1)?.flatMap(([role, content]) => (role === "tool" ? [String(content)] : []));
  expect(results?.map((text) => /Hello Ann, gladly\.|Not Bob\.|who is Eve\?/.exec(text)?.[0])).toEqual([
    "Hello Ann, gladly.",
    "Not Bob.",
    "who is Eve?",
  ]);
});

test("a throw in preGeneration fails the run with its text before a model is asked", async () => {
  const refusing = `import { defineHook, guardHook } from "ringmaster";
export default defineHook({
  name: "refusing", create: () => guardHook({ preGeneration() { throw new Error("The budget is used up."); } }),
});`;
  const { server, ask } = await start(refusing, ["refusing"], [{ text: "never" }]);
  expect(await ask()).toMatchObject({
    error: { code: "hook_failed", message: expect.stringContaining("The budget is used up.") },
  });
  expect(server.provider.requests).toEqual([]);
});

const CHAIN = `import { ai, defineHook, human, Messages, system, tool } from "ringmaster";
const tried = (work) => { try { work(); return "valid"; } catch (error) { return error.message; } };
export default defineHook({
  name: "chain",
  create: () => ({
    modifyRequest(request) {
      const chain = new Messages(request.messages);
      if (chain.last().role !== "tool") return request;
      note({
        count: [chain.length, chain.slice().length],
        last: [chain.last().role, chain.lastContent()],
        none: new Messages().last(),
        roles: [chain.userMessages(), chain.assistantMessages(), chain.toolMessages(), chain.systemMessages(), chain.byRole("tool")].map(({ length }) => length),
        valid: tried(() => chain.validate()),
        nameless: tried(() => new Messages([{ role: "tool", content: "x", toolCallId: "", name: "" }]).validate()),
        empty: tried(() => new Messages([human("")]).validate()),
        nothing: tried(() => new Messages([ai("")]).validate()),
        outside: tried(() => chain.validateUserInput()),
        nobody: tried(() => new Messages().validateUserInput()),
        tokens: new Messages().human("12345678").ai("", { id: "c", name: "greet", args: { a: 1 } }).estimateTokens(),
        printed: new Messages().system("S").human("H").ai("A", { id: "c", name: "greet", args: { a: 1 } }).tool("c", "greet", "T").prettyPrint(),
      });
      const more = [system("s"), ai("Noted.", { id: "extra", name: "greet", args: {} }), tool("extra", "greet", "Hello."), human("And now?")];
      return { ...request, messages: chain.slice().concat(more.filter(({ role }) => role !== "system")) };
    },
  }),
});
`;

test("an extension builds, filters, checks, weighs and prints messages in a run", async () => {
  const { ask, seen, sent } = await start(CHAIN, ["chain"], [greeting("Ann"), { text: "Done." }]);
  expect((await ask()).status).toBe("completed");
  expect(seen()).toEqual([
    {
      count: [3, 3],
      last: ["tool", "Hello Ann, undefined."],
      none: { role: "", content: "" },
      roles: [1, 1, 1, 0, 1],
      valid: "valid",
      nameless: "message 1: a tool message needs toolCallId and name",
      empty: "message 1: content must not be empty",
      nothing: "message 1: an assistant message needs content or calls",
      outside: 'message 2: role must be "user" or "system"',
      nobody: "messages must not be empty",
      tokens: 2 + Math.floor('{"a":1}'.length / 4),
      printed: [
        "[System]\nS\n",
        "[Human]\nH\n",
        '[AI]\nA\n  → tool_call: greet(id=c, args={"a":1})\n',
        "[Tool: greet (call_id=c)]\nT\n",
      ].join("\n"),
    },
  ]);
  expect(sent(1)?.map(([role]) => role)).toEqual(["system", "user", "assistant", "tool", "assistant", "tool", "user"]);
});

const BREAKING = `import { defineHook, z } from "ringmaster";
const added = {
  "an unknown role": { role: "robot", content: "x" },
  "an empty user message": { role: "user", content: "" },
  "a result without a name": { role: "tool", content: "x", toolCallId: "c", name: "" },
  "a reply with nothing": { role: "assistant", content: "", toolCalls: [] },
  "a call without an id": { role: "assistant", content: "", toolCalls: [{ id: "", name: "greet", args: {}, rawArgs: "{}" }] },
  "a result without its call": { role: "tool", content: "x", toolCallId: "nowhere", name: "greet" },
};
const broken = (request, what) => ({ ...request, messages: [...request.messages, added[what]] });
export default defineHook({
  name: "breaking",
  config: z.object({ what: z.string(), ring: z.boolean() }),
  create: ({ what, ring }) => ring
    ? { wrapModelCall: (request, next) => next(broken(request, what)) }
    : { modifyRequest: (request) => broken(request, what) },
});
`;

const WHAT = [
  "an unknown role",
  "an empty user message",
  "a result without a name",
  "a reply with nothing",
  "a call without an id",
  "a result without its call",
];

test.each(
  WHAT.flatMap((what) => [
    [what, "modify_request"],
    [what, "wrap_model_call"],
  ]),
)("%s that an extension adds in %s fails the run before a provider sees it", async (what, phase) => {
  const hooks = [{ name: "breaking", config: { what, ring: phase === "wrap_model_call" } }];
  const { server, ask } = await start(BREAKING, hooks, [{ text: "never" }]);
  const message = expect.stringMatching(new RegExp(`hook breaking ${phase}: message 2 `));
  expect((await ask()).error).toMatchObject({ code: "invalid_chain", message });
  expect(server.provider.requests).toEqual([]);
});
