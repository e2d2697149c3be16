import { expect, onTestFinished, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { POST as resume } from "@/app/agents/[id]/resume/route";
import { PATCH as patchAgent, GET as readAgent } from "@/app/agents/[id]/route";
import { GET as availableHooks } from "@/app/agents/hooks/available/route";
import { GET as availableTools } from "@/app/agents/tools/available/route";
import { GET as agentSchema } from "@/app/api/agent-schema/route";
import { POST as preview } from "@/app/api/agents/[agentId]/preview-prompt/route";
import { POST as makeAgent } from "@/app/api/agents/route";
import { POST as validate } from "@/app/api/agents/validate/route";
import { POST as reload } from "@/app/api/extensions/reload/route";
import { GET as list } from "@/app/api/extensions/route";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { createAgent } from "@/lib/server/agents/publish-version";
import { extensionFolder } from "@/lib/testing/files/extension-folder";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { processServices } from "./services";

const NO_ECHO = `import { defineHook, deny, guardHook, proceed, z } from "ringmaster";
export default defineHook({
  name: "no-word",
  config: z.object({ word: z.string().min(2) }),
  create: ({ word }) => guardHook({
    preToolUse: ({ call }) => JSON.stringify(call.args).includes(word) ? deny(\`Without \${word}, please.\`) : proceed(),
  }),
});
`;
const GREET = `import { defineTool, z } from "ringmaster";
export default defineTool({
  name: "greet",
  description: "Greets somebody.",
  input: z.object({ name: z.string() }),
  annotations: { readOnly: true },
  execute: ({ name }, { userId, call }) => \`Hello \${name}, says \${userId} (\${call.name}).\`,
});
`;
const WEATHER = `import { definePromptSection } from "ringmaster";
export default definePromptSection({ name: "weather", modes: ["full"], build: ({ agent }) => \`It rains on \${agent.id}.\` });
`;
const ALL = { "no-word.ts": NO_ECHO, "greet.ts": GREET, "weather/index.ts": WEATHER };

const greeting = (name: string) => ({ calls: [{ name: "greet", args: { name } }] });

async function start(files: Record<string, string>, script: Parameters<typeof startRunServer>[0] = []) {
  const folder = await extensionFolder(files);
  const server = await startRunServer(script);
  onTestFinished(async () => {
    await server.close();
    folder.close();
  });
  return { folder, server };
}

const agent = (config: RawConfig) =>
  createAgent(processServices(), {
    agentId: "a",
    raw: { name: "A", model: "scripted:m", retries: 0, ...config },
    createdById: null,
  });

async function ask(server: RunServer) {
  const body = { messages: [{ role: "user", content: "go" }], thread_id: "t" };
  return (await server.call(invoke, { as: "member", params: { id: "a" }, body })).json();
}

const hookUser = { tools: ["greet"], hooks: ["tracing", { name: "no-word", config: { word: "Bob" } }] };

test("an agent runs with hook, tool and prompt section of extensions", async () => {
  const { server } = await start(ALL, [greeting("Bob"), greeting("Ann"), { text: "Done." }]);
  await agent({ ...hookUser, prompt: { sections: { weather: true } }, system_prompt: "You are A." });
  const reply = await ask(server);
  expect(reply.tool_calls).toMatchObject([
    { name: "greet", error: "Without Bob, please." },
    { name: "greet", output: "Hello Ann, says member (greet)." },
  ]);
  expect(server.provider.requests[0]?.body.messages?.[0]?.content).toBe("You are A.\n\nIt rains on a.");
});

test("their spans carry the file and the hash of its content", async () => {
  const { server, folder } = await start(ALL, [greeting("Ann"), { text: "Done." }]);
  await agent(hookUser);
  await ask(server);
  const { files } = await folder.reload();
  const hashOf = (file: string) => files.find((extension) => extension.file === file)?.hash;
  const attributes = async (name: string) => {
    const span = await server.database.span.findFirst({ where: { name } });
    return span && JSON.parse(span.attributes);
  };
  await reached(async () => (await attributes("hook.no-word")) !== null);
  expect(await attributes("hook.no-word")).toEqual({
    phase: "wrap_tool_call",
    extension: "no-word.ts",
    extension_hash: hashOf("no-word.ts"),
  });
  expect(await attributes("tool.call")).toMatchObject({ extension: "greet.ts", extension_hash: hashOf("greet.ts") });
});

test("a segment that runs with another version of an extension says so and uses the current one", async () => {
  const { server, folder } = await start(ALL, [greeting("Ann"), { text: "Done." }]);
  await agent({ ...hookUser, permissions: { enabled: true, ask: ["greet"] } });
  expect((await ask(server)).status).toBe("waiting");
  folder.write("greet.ts", GREET.replace("Hello", "Welcome"));
  await folder.reload();
  const body = { thread_id: "t", decisions: [{ tool_call_id: "call_1", decision: "allow" }] };
  await (await server.call(resume, { as: "member", params: { id: "a" }, body })).text();
  const rows = await server.database.runEvent.findMany({ orderBy: { seq: "asc" } });
  const events = rows.map(({ data }) => JSON.parse(data));
  const [first, second] = events.filter(({ type }) => type === "run.started");
  expect(first.extensions["no-word.ts"]).toBe(second.extensions["no-word.ts"]);
  expect(events.filter(({ type }) => type === "extension.changed")).toEqual([
    {
      type: "extension.changed",
      file: "greet.ts",
      from: first.extensions["greet.ts"],
      to: second.extensions["greet.ts"],
    },
  ]);
  expect(events.find(({ type }) => type === "tool.result").result.output).toMatch(/^Welcome Ann/);
});

test.each<[string, RawConfig, string, string | RegExp]>([
  [
    "settings that its schema refuses",
    { hooks: ["tracing", { name: "no-word", config: { word: "x", wrod: 1 } }] },
    "hooks.1.config.wrod",
    'settings of no-word: Unknown field. Did you mean "word"?',
  ],
  ["a hook that nobody has", { hooks: ["no-words"] }, "hooks.0", /^there is no hook "no-words"; .* no-word$/],
  [
    "a section that nobody has",
    { prompt: { sections: { wether: true } } },
    "prompt.sections.wether",
    'There is no such section. Did you mean "weather"?',
  ],
])("an agent with %s is refused, with the place", async (_, config, path, message) => {
  const { server } = await start(ALL);
  const body = { config: { name: "A", model: "scripted:m", ...config } };
  const { problems } = await (await server.call(validate, { as: "admin", body })).json();
  const problem = problems.find((found: { path: string }) => found.path === path);
  expect(problem.severity).toBe("error");
  if (typeof message === "string") expect(problem.message).toBe(message);
  else expect(problem.message).toMatch(message);
  const refused = await server.call(makeAgent, { as: "admin", body: { id: "a", ...body } });
  expect(refused.status).toBe(400);
});

test("a hook whose extension does not load: saving is refused, what was saved says so and its runs fail", async () => {
  const { server, folder } = await start(ALL, [{ text: "never" }]);
  await agent(hookUser);
  folder.write("no-word.ts", "\n\nexport default nothing;\n");
  await folder.reload();
  const sentence =
    "The extension no-word.ts could not be loaded: nothing is not defined in line 3. Fix the file and reload the extensions.";

  const saved = await server.call(patchAgent, { as: "admin", params: { id: "a" }, body: { description: "x" } });
  expect([saved.status, (await saved.json()).error.message]).toEqual([400, `hooks.1: ${sentence}`]);

  const info = await server.call(readAgent, { as: "admin", params: { id: "a" } });
  expect((await info.json()).warnings).toEqual([{ path: "hooks.1", message: sentence }]);
  const seen = await server.call(readAgent, { as: "member", params: { id: "a" } });
  expect((await seen.json()).warnings).toEqual([]);

  const body = { messages: [{ role: "user", content: "go" }] };
  const run = await server.call(invoke, { as: "member", params: { id: "a" }, body });
  expect((await run.json()).error.message).toBe(`The agent can't run as it is configured. hooks.1: ${sentence}`);
  expect(server.provider.requests).toEqual([]);
});

test("a tool whose extension does not load: saving is refused, what was saved says so and its runs fail", async () => {
  const { server, folder } = await start(ALL, [{ text: "never" }]);
  await agent({ tools: ["calculate", "greet"] });
  folder.write("greet.ts", "\n\nexport default nothing;\n");
  await folder.reload();
  const sentence =
    "The extension greet.ts could not be loaded: nothing is not defined in line 3. Fix the file and reload the extensions.";

  const saved = await server.call(patchAgent, { as: "admin", params: { id: "a" }, body: { description: "x" } });
  expect([saved.status, (await saved.json()).error.message]).toEqual([400, `tools.1: ${sentence}`]);
  const info = await server.call(readAgent, { as: "admin", params: { id: "a" } });
  expect((await info.json()).warnings).toEqual([{ path: "tools.1", message: sentence }]);
  expect((await ask(server)).error.message).toBe(`The agent can't run as it is configured. tools.1: ${sentence}`);
  expect(server.provider.requests).toEqual([]);
});

test("a tool whose file is gone is asked for by its name, and a failed file is known by the names in its text", async () => {
  const broken = GREET.replace("execute:", "execute:: ");
  const { server, folder } = await start({ "tools/index.ts": GREET, "weather.ts": WEATHER });
  await agent({ tools: { allow: ["greet"], deny: [] }, prompt: { sections: { weather: true } } });
  const warnings = async () =>
    (await (await server.call(readAgent, { as: "admin", params: { id: "a" } })).json()).warnings;
  folder.remove("tools/index.ts");
  folder.remove("weather.ts");
  await folder.reload();
  const gone = (file: string) =>
    `The extension ${file} is not in the extensions folder any more. Put it back and reload the extensions, or change the agent.`;
  expect(await warnings()).toEqual([
    { path: "prompt.sections.weather", message: gone("weather.ts") },
    { path: "tools.allow.0", message: gone("tools/index.ts") },
  ]);
  folder.close();
  const again = await extensionFolder({ "my-tools.ts": broken, "weather.ts": WEATHER });
  onTestFinished(() => again.close());
  expect(await warnings()).toEqual([
    {
      path: "tools.allow.0",
      message: expect.stringMatching(/^The extension my-tools\.ts could not be loaded: .* in line 7\./),
    },
  ]);
});

const GREETERS = `import { defineHook, defineTool, z } from "ringmaster";
const greet = (name, says) => defineTool({
  name, description: "Greets.", input: z.object({ name: z.string() }), annotations: { readOnly: true },
  execute: (args) => \`\${says} \${args.name}.\`,
});
export default [
  defineHook({
    name: "greeters",
    config: z.object({ says: z.string().default("Good day") }),
    create: ({ says }) => ({
      tools: [greet("greet", says)],
      beforeAgent(context) {
        if (context.segment === 0) context.logLine("info", "a run begins");
        context.registerTool(greet("greet_again", "Again").tool);
      },
    }),
  }),
  greet("greet", "The folder's"),
  greet("wave", "A wave for"),
];
`;

test("an agent's own tools: those that its hooks bring win over the named ones, and its info and preview list them", async () => {
  const { server, folder } = await start({ "greeters.ts": GREETERS }, [
    greeting("Ann"),
    { calls: [{ name: "greet_again", args: { name: "Ann" } }] },
    { text: "Done." },
  ]);
  await agent({ tools: ["greet"], hooks: ["tracing", { name: "greeters", config: { says: "Welcome" } }] });
  const info = await (await server.call(readAgent, { as: "admin", params: { id: "a" } })).json();
  expect(info.tools).toEqual(["greet", "greet_again"]);
  const shown = await server.call(preview, { as: "admin", params: { agentId: "a" }, body: {} });
  expect((await shown.json()).tools.map(({ name }: { name: string }) => name)).toEqual(["greet", "greet_again"]);
  const { tool_calls: calls } = await ask(server);
  expect(calls.map(({ output }: { output: string }) => output)).toEqual(["Welcome Ann.", "Again Ann."]);
  const hash = (await folder.reload()).files[0]?.hash;
  await reached(async () => (await server.database.span.count({ where: { name: "tool.call" } })) === 2);
  const spans = await server.database.span.findMany({ where: { name: "tool.call" } });
  for (const { attributes } of spans)
    expect(JSON.parse(attributes)).toMatchObject({ extension: "greeters.ts", extension_hash: hash });
});

test("a hook that can't prepare without a run does not keep its agent from being shown", async () => {
  const refusing = `import { defineHook } from "ringmaster";
export default defineHook({ name: "refusing", create: () => ({ beforeAgent() { throw new Error("Not today."); } }) });`;
  const { server } = await start({ "refusing.ts": refusing });
  await agent({ tools: ["calculate"], hooks: ["refusing"] });
  const info = await (await server.call(readAgent, { as: "admin", params: { id: "a" } })).json();
  expect(info.tools).toEqual(["calculate"]);
  expect(info.hooks).toContainEqual({ name: "refusing", phases: ["before_agent"] });
});

test("the tools that hooks of extensions bring are listed, also where a hook has required settings", async () => {
  const required = GREETERS.replace(
    'says: z.string().default("Good day")',
    "says: z.string().min(3), times: z.number().gt(1)",
  );
  const { server } = await start({ "greeters.ts": required });
  const { tools } = await (await server.call(availableTools, { as: "member" })).json();
  const found = tools.filter(({ name }: { name: string }) => name.startsWith("greet"));
  expect(found.map(({ name, source, offered }: Record<string, string>) => [name, source, offered])).toEqual([
    ["greet", "extension", "named in tools"],
    ["greet", "hook", "with the hook greeters"],
    ["greet_again", "hook", "with the hook greeters"],
  ]);
  expect(found[1].parameters.properties).toEqual({ name: { type: "string" } });
});

const PREPARING = `import { defineHook, guardHook, human } from "ringmaster";
export default defineHook({
  name: "preparing",
  create: () => guardHook({
    preGeneration({ state }) {
      state.systemPrompt += "\\n\\nBe brief.";
      state.messages.unshift(human("[The office is open.]"));
    },
  }),
});
`;

test("the preview shows what preGeneration made of the system prompt and the messages", async () => {
  const { server } = await start({ "preparing.ts": PREPARING }, [{ text: "ok" }]);
  await agent({ system_prompt: "You are A.", hooks: ["preparing"] });
  const body = { message: "go" };
  const shown = await (await server.call(preview, { as: "admin", params: { agentId: "a" }, body })).json();
  await ask(server);
  const sent = server.provider.requests[0]?.body.messages ?? [];
  expect(shown.sections).toMatchObject([{ name: "identity", text: "You are A.\n\nBe brief." }]);
  expect([{ role: "system", content: shown.text }, ...shown.messages]).toMatchObject(sent);
  expect(shown.messages.map(({ content }: { content: string }) => content)).toEqual(["[The office is open.]", "go"]);
  const without = await server.call(preview, { as: "admin", params: { agentId: "a" }, body: {} });
  expect((await without.json()).messages.map(({ role }: { role: string }) => role)).toEqual(["user"]);
});

test("the list shows what was loaded, what failed with its line, and whose agents need it", async () => {
  const bad = 'import { defineHook } from "ringmaster";\nthrow new Error("no key");\n';
  const taken = GREET.replace('"greet"', '"calculate"');
  const { server } = await start({ ...ALL, "bad.ts": bad, "taken.ts": taken });
  await agent(hookUser);
  const { extensions } = await (await server.call(list, { as: "admin" })).json();
  const agents = [{ id: "a", name: "A" }];
  const hash = expect.stringMatching(/^[0-9a-f]{12}$/);
  expect(extensions).toEqual([
    { file: "bad.ts", name: null, kind: null, hash, error: { message: "no key", line: 2 }, agents: [] },
    { file: "greet.ts", name: "greet", kind: "tool", hash, agents },
    { file: "no-word.ts", name: "no-word", kind: "hook", hash, agents },
    {
      file: "taken.ts",
      name: null,
      kind: null,
      hash,
      agents: [],
      error: {
        message: 'There is a tool named "calculate" already, built in. Give one of them another name.',
        line: null,
      },
    },
    { file: "weather/index.ts", name: "weather", kind: "section", hash, agents: [] },
  ]);
});

test("reloading answers with the list, is written down, and is for admins; it takes no body", async () => {
  const { server, folder } = await start({});
  folder.write("greet.ts", GREET);
  const reply = await server.call(reload, { method: "POST", as: "admin" });
  expect((await reply.json()).extensions).toMatchObject([{ file: "greet.ts", name: "greet" }]);
  const [entry] = await server.database.auditEntry.findMany({ where: { action: "extensions.reloaded" } });
  expect(entry?.actorId).toBe("admin");
  expect((await server.call(reload, { method: "POST", as: "member" })).status).toBe(403);
  expect((await server.call(list, { as: "member" })).status).toBe(403);
  expect((await server.call(reload, { as: "admin", body: { all: true } })).status).toBe(400);
});

test("hooks of extensions are offered with their phases, and the editor's schema completes name and settings", async () => {
  const { server } = await start(ALL);
  const { hooks } = await (await server.call(availableHooks, { as: "admin" })).json();
  const description = "From the extension no-word.ts.";
  expect(hooks.at(-1)).toMatchObject({ name: "no-word", description, phases: ["pre_tool_use"] });
  const schema = await (await server.call(agentSchema, { as: "admin" })).json();
  const text = JSON.stringify(schema.properties.hooks);
  expect(text).toContain('"const":"no-word"');
  expect(text).toContain('"word":{"type":"string","minLength":2}');
  expect(JSON.stringify(schema.properties.prompt)).toContain('"weather":{"type":"boolean"}');
  // Fields whose only valid value is the default are not offered for completion.
  expect(schema.properties).not.toHaveProperty("gate");
});
