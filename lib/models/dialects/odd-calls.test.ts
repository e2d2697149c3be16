import { afterEach, expect, it } from "vitest";
import { askModel, providerSettings, USER_REQUEST } from "@/lib/testing/servers/ask-scripted-server";
import { type ScriptedServer, startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

const calculate = { name: "calculate", description: "Calculates.", parameters: { type: "object", properties: {} } };

const callsIn = (...choices: object[]) => callsAmong([...USER_REQUEST.tools, calculate], ...choices);

async function callsAmong(tools: typeof USER_REQUEST.tools, ...choices: object[]) {
  const events = choices.map(
    (choice) => `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, ...choice }] })}\n\n`,
  );
  const fault = { status: 200, body: events.join(""), contentType: "text/event-stream" };
  server = await startScriptedServer({ script: [{ fault }] });
  const settings = providerSettings({ openaiCompatible: { baseUrl: server.url, apiKey: null } });
  const { reply } = await askModel({ settings, request: { ...USER_REQUEST, tools } });
  return reply?.toolCalls;
}

const end = { delta: {}, finish_reason: "tool_calls" };
const piece = (call: object) => ({ delta: { tool_calls: [{ index: 0, ...call }] } });

it.each<[string, { id?: string; name: string }]>([
  ["its namespace", { name: "functions.calculate" }],
  ["the namespace of Gemini", { name: "default_api:calculate" }],
  ["what is left of a template", { name: "calculate<|channel|>commentary" }],
  ["both", { name: "functions.calculate<|constrain|>json" }],
  ["a name in the id alone", { id: "functions.calculate:0", name: "" }],
  ["a count", { name: "functions.calculate:0" }],
  ["parentheses", { name: "calculate()" }],
  ["another case", { name: "Calculate" }],
])("a call with %s is one of the tool that is meant", async (_, { id = "a", name }) => {
  const calls = await callsIn(piece({ id, function: { name, arguments: '{"x":1}' } }), end);
  expect(calls).toMatchObject([{ id, name: "calculate", args: { x: 1 } }]);
});

it("a name that only differs in case from two tools is neither", async () => {
  const tools = [calculate, { ...calculate, name: "CALCULATE" }];
  const calls = await callsAmong(tools, piece({ id: "a", function: { name: "Calculate", arguments: "{}" } }), end);
  expect(calls).toMatchObject([{ name: "Calculate" }]);
});

const written = { name: "calculate", arguments: '{"x":1}' };
it.each<[string, object]>([
  [
    "a part of the content, as Anthropic's",
    { content: [{ type: "tool_use", id: "a", name: "calculate", input: { x: 1 } }] },
  ],
  [
    "a part of the content beside text",
    {
      content: [
        { type: "text", text: "Now." },
        { type: "tool_call", id: "a", ...written },
      ],
    },
  ],
  ["a part of the content with a function", { content: [{ type: "function_call", id: "a", function: written }] }],
  ["a list under another name", { toolCalls: [{ id: "a", function: written }] }],
  ["a function that is JSON text", { tool_calls: [{ id: "a", function: JSON.stringify(written) }] }],
  ["a function that is its name", { tool_calls: [{ id: "a", function: "calculate", arguments: { x: 1 } }] }],
  ["arguments under a short name", { tool_calls: [{ id: "a", function: { name: "calculate", args: { x: 1 } } }] }],
])("a call is read from %s", async (_, delta) => {
  expect(await callsIn({ delta }, end)).toMatchObject([{ id: "a", name: "calculate", args: { x: 1 } }]);
});

it("a namespace that is repeated with each piece begins no other call", async () => {
  const name = "functions.calculate";
  const calls = await callsIn(
    piece({ id: "a", function: { name, arguments: '{"x":1}' } }),
    piece({ id: "a", function: { name, arguments: " " } }),
    end,
  );
  expect(calls).toMatchObject([{ name: "calculate", args: { x: 1 } }]);
});

const one = { function: { name: "calculate", arguments: '{"x":1}' } };
const two = { function: { name: "calculate", arguments: '{"x":2}' } };
const BOTH = [
  { name: "calculate", args: { x: 1 } },
  { name: "calculate", args: { x: 2 } },
];

it.each<[string, object[]]>([
  ["without numbers", [one, two]],
  [
    "with empty ids",
    [
      { id: "", ...one },
      { id: "", ...two },
    ],
  ],
  [
    "with numbers that are null",
    [
      { index: null, ...one },
      { index: null, ...two },
    ],
  ],
  ["of which one has an id", [one, { id: "b", ...two }]],
])("calls in one list %s are as many as there are (Gemini)", async (_, calls) => {
  expect(await callsIn({ delta: { tool_calls: calls } }, end)).toMatchObject(BOTH);
});

it("a list that repeats a call by its id, or goes on with it, is one call", async () => {
  const same = [
    { id: "a", ...one },
    { id: "a", ...one },
  ];
  expect(await callsIn({ delta: { tool_calls: same } }, end)).toHaveLength(1);
  await server?.close();
  const begun = { function: { name: "calculate", arguments: '{"x":' } };
  const rest = { function: { name: "calculate", arguments: "1}" } };
  expect(await callsIn({ delta: { tool_calls: [begun, rest] } }, end)).toMatchObject([BOTH[0]]);
});

it.each<[string, object[]]>([
  ["nothing", []],
  ["text", [{ delta: { content: "Let me see." } }]],
])("calls that stand only in a whole message behind %s are read", async (_, before) => {
  const message = { role: "assistant", content: "Let me see.", tool_calls: [one, two] };
  expect(await callsIn(...before, { delta: {}, message, finish_reason: "tool_calls" })).toMatchObject(BOTH);
});

it("a whole message that repeats calls adds none", async () => {
  const numbered = [
    { index: 0, id: "a", ...one },
    { index: 1, id: "b", ...two },
  ];
  const last = { delta: {}, message: { tool_calls: numbered }, finish_reason: "tool_calls" };
  expect(await callsIn({ delta: { tool_calls: numbered } }, last)).toMatchObject(BOTH);
});

it("a name that means no offered tool stays as it is", async () => {
  const calls = await callsIn(piece({ id: "a", function: { name: "functions.erase", arguments: "{}" } }), end);
  expect(calls).toMatchObject([{ name: "functions.erase" }]);
});

it.each(["<|im_end|>", "</s>", "<|eot_id|>\n", "<|im_end|> <|endoftext|>"])(
  "arguments behind which a server left %j are those before it",
  async (token) => {
    const written = `{"x":1}${token}`;
    const calls = await callsIn(piece({ id: "a", function: { name: "calculate", arguments: written } }), end);
    expect(calls).toMatchObject([{ args: { x: 1 }, rawArgs: written }]);
    expect(calls?.[0]).not.toHaveProperty("argsError");
  },
);

it("a token inside an argument is the model's own", async () => {
  const written = '{"x":"a<|im_end|>"}';
  const calls = await callsIn(piece({ id: "a", function: { name: "calculate", arguments: written } }), end);
  expect(calls).toMatchObject([{ args: { x: "a<|im_end|>" } }]);
});

it("a finish reason with details ends a reply", async () => {
  const call = piece({ id: "a", function: { name: "calculate", arguments: "{}" } });
  expect(await callsIn(call, { delta: {}, finish_reason: { type: "tool_calls" } })).toHaveLength(1);
});
