import { expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "@/lib/agent/tools/tool";
import { permissionsHook } from "@/lib/hooks/permissions";
import { createModelRegistry } from "@/lib/models/model-registry";
import { runWith, testConfig } from "@/lib/testing/scripted/run-with";
import { providerSettings, REPLY_LIMITS } from "@/lib/testing/servers/ask-scripted-server";
import { startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";
import { cleanReplies } from "@/lib/text/sanitize/clean-replies";
import { readTextCalls } from "./text-calls";

const names = new Set(["calculate", "ls"]);
const six = { name: "calculate", args: { expression: "6*7" } };
const json = JSON.stringify({ name: "calculate", arguments: { expression: "6*7" } });

it.each([
  `<tool_call>\n${json}\n</tool_call>`,
  `<tool_call>${json}`,
  `<function_call>${json}</function_call>`,
  '<tool_call>{"name":"calculate","parameters":{"expression":"6*7"}}</tool_call>',
  '<tool_call>{"name":"calculate","arguments":"{\\"expression\\":\\"6*7\\"}"}</tool_call>',
  '<function=calculate>{"expression":"6*7"}</function>',
  "<tool_call>\n<function=calculate>\n<parameter=expression>\n6*7\n</parameter>\n</function>\n</tool_call>",
  `[TOOL_CALLS][${json}]`,
  '<|python_tag|>{"name":"calculate","parameters":{"expression":"6*7"}}<|eom_id|>',
])("a call in tags is read: %s", (text) => {
  expect(readTextCalls(text, names)).toEqual({ calls: [six], isTagged: true });
});

it("several calls are read in order, and bare JSON of an offered tool is known as such", () => {
  expect(readTextCalls(`<tool_call>${json}</tool_call>\n<tool_call>${json}</tool_call>`, names)?.calls).toEqual([
    six,
    six,
  ]);
  expect(readTextCalls(json, names)).toEqual({ calls: [six], isTagged: false });
});

it.each([
  `I look: <tool_call>${json}</tool_call>`,
  `<tool_call>${json}</tool_call> Done.`,
  "<tool_call>this tag</tool_call>",
  "<tool_call>",
  '{"name":"Ann","arguments":{"for":"peace"}}',
  '{"name":"calculate"}',
  "[1, 2]",
  "<b>bold</b>",
])("other text is no call: %s", (text) => {
  expect(readTextCalls(text, names)).toBeNull();
});

async function run(text: string, { callsInText = false, readOnly = true } = {}) {
  const server = await startScriptedServer({ script: [{ text: [text] }, { text: "It is 42." }] });
  const provider = { id: "own", kind: "openai-compatible" as const, name: "Own", baseUrl: server.url, apiKey: null };
  const own = { ...provider, allowedRoles: [], problem: null, models: [{ id: "m", traits: { callsInText } }] };
  const registry = createModelRegistry({ ...providerSettings(), own: [own] });
  const timeouts = { model_ms: 20_000, idle_ms: 10_000 };
  const model = registry.resolve("own:m", { fallbacks: [], retries: 0, timeouts, replyLimits: REPLY_LIMITS });
  const ran: unknown[] = [];
  const calculate = defineTool({
    name: "calculate",
    description: "Calculates.",
    input: z.object({ expression: z.string() }),
    annotations: { readOnly },
    execute(args) {
      ran.push(args);
      return Promise.resolve("42");
    },
  });
  const { permissions } = testConfig();
  const result = await runWith([], {
    tools: [calculate],
    hooks: [permissionsHook({ permissions, workdir: "/work" })],
    wrapModel: () => cleanReplies(model, { isSanitizing: true, maxOtherChars: 80 }),
  });
  await server.close();
  const shown = result.events.reduce((whole, event) => {
    if (event.type === "step.reset") return "";
    return event.type === "text.delta" ? whole + event.delta : whole;
  }, "");
  return { ...result, ran, shown };
}

const tagged = `<tool_call>\n${json}\n</tool_call>`;
const notice = expect.stringMatching(/wrote a tool call as text.*tool parser.*callsInText/);

it.each([tagged, json])("without the trait the text stays, with a notice that says what helps: %s", async (text) => {
  const { outcome, ran, shown } = await run(text);
  expect(outcome).toMatchObject({ status: "completed", response: text, notice, noticeKind: "text-call" });
  expect([ran, shown]).toEqual([[], text]);
});

it("with the trait it is a call", async () => {
  const { outcome, ran, shown } = await run(tagged, { callsInText: true });
  expect(ran).toEqual([{ expression: "6*7" }]);
  expect(outcome).toMatchObject({ status: "completed", response: "It is 42." });
  expect([outcome.notice, shown]).toEqual([undefined, "It is 42."]);
});

it("with the trait a call that may change something asks a person", async () => {
  const { outcome, ran } = await run(tagged, { callsInText: true, readOnly: false });
  expect([outcome.status, ran]).toEqual(["waiting", []]);
});

it.each([
  ["bare JSON", json],
  ["an unknown tool", '<tool_call>{"name":"fly","arguments":{}}</tool_call>'],
  ["arguments that do not fit", '<tool_call>{"name":"calculate","arguments":{"x":1}}</tool_call>'],
])("with the trait %s stays text with a notice", async (_, text) => {
  const { outcome, ran } = await run(text, { callsInText: true });
  expect(outcome).toMatchObject({ status: "completed", response: text, notice, noticeKind: "text-call" });
  expect(ran).toEqual([]);
});
