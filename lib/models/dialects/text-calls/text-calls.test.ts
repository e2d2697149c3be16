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
  expect(readTextCalls(text, names)).toEqual({ calls: [six], isTagged: true, isBesideText: false });
});

it("several calls are read in order, and bare JSON of an offered tool is known as such", () => {
  expect(readTextCalls(`<tool_call>${json}</tool_call>\n<tool_call>${json}</tool_call>`, names)?.calls).toEqual([
    six,
    six,
  ]);
  expect(readTextCalls(json, names)).toEqual({ calls: [six], isTagged: false, isBesideText: false });
});

it.each([
  `The tag \`<tool_call>\` holds ${json}`,
  `So:\n\`\`\`xml\n<tool_call>${json}</tool_call>\n\`\`\`\nThen`,
  "The tags <tool_call> and </tool_call> hold a call of calculate.",
  "ls",
  "ls {a}",
  "[see ls(1)](x)",
  "<tool_call>this tag</tool_call>",
  "<tool_call>",
  '{"name":"Ann","arguments":{"for":"peace"}}',
  '{"name":"calculate"}',
  "[1, 2]",
  "<b>bold</b>",
])("other text is no call: %s", (text) => {
  expect(readTextCalls(text, names)).toBeNull();
});

it.each([
  `I look:\n<tool_call>${json}</tool_call>`,
  `<tool_call>${json}</tool_call> Done.`,
  `Sure.[TOOL_CALLS]calculate[ARGS]{"expression":"6*7"}`,
  `<|channel|>analysis<|message|>Hm<|end|><|start|>assistant<|channel|>commentary to=functions.calculate <|constrain|>json<|message|>{"expression":"6*7"}<|call|>`,
])("a call beside other text is known as such: %s", (text) => {
  expect(readTextCalls(text, names)).toEqual({ calls: [six], isTagged: false, isBesideText: true });
});

it.each([
  '<tool_call>{"name":"calculate","arguments":{"expression":"6*',
  "<tool_call>calculate of 6*7</tool_call>",
  "<|some_tool_call|>calculate ???",
])("a call that can't be read is known as such: %s", (text) => {
  expect(readTextCalls(text, names)).toEqual({ calls: [], isTagged: false, isBesideText: false });
});

it.each([
  "<tool_call>".repeat(18_000),
  "<tool_call>{".repeat(16_000),
  "<function=a>".repeat(16_000),
  `<tool_call>${"[".repeat(190_000)}`,
  "[TOOL_CALLS]x[ARGS]".repeat(10_000),
  `<invoke name="a">${"<parameter=a>".repeat(14_000)}`,
])("a text of nothing but tags ends the reading: %.20s…", (text) => {
  const tries = Array.from({ length: 3 }, () => {
    const startedAtMs = performance.now();
    readTextCalls(text, names);
    return performance.now() - startedAtMs;
  });
  expect(Math.min(...tries)).toBeLessThan(2_000);
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

it.each([
  `Let me look.\n<tool_call>calculate\n<arg_key>expression</arg_key>\n<arg_value>6*7</arg_value>\n</tool_call>`,
  `<think>I ask. ${tagged}</think>`,
  '<tool_call>{"name":"calculate","arguments":{"expression":"6*',
])("a call that can't be taken as one never ends without a word: %s", async (text) => {
  const { outcome, ran } = await run(text, { callsInText: true });
  expect(outcome).toMatchObject({ status: "completed", notice, noticeKind: "text-call" });
  expect(ran).toEqual([]);
});

it.each([
  '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="calculate">\n<｜DSML｜parameter name="expression" string="true">6*7</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
  '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.calculate <|constrain|>json<|message|>{"expression":"6*7"}<|call|>',
  '[TOOL_CALLS]calculate[ARGS]{"expression":"6*7"}',
])("with the trait a call in a model's own form runs, and nothing of it is shown: %s", async (text) => {
  const { outcome, ran, events } = await run(text, { callsInText: true });
  expect(ran).toEqual([{ expression: "6*7" }]);
  expect(outcome).toMatchObject({ status: "completed", response: "It is 42." });
  expect(events.filter(({ type }) => type === "text.delta").map((event) => "delta" in event && event.delta)).toEqual([
    "It is 42.",
  ]);
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
