import { afterEach, expect, it } from "vitest";
import { askModel, providerSettings, USER_REQUEST } from "@/lib/testing/servers/ask-scripted-server";
import { type ScriptedServer, startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

const calculate = { name: "calculate", description: "Calculates.", parameters: { type: "object", properties: {} } };

async function callsIn(...choices: object[]) {
  const events = choices.map(
    (choice) => `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, ...choice }] })}\n\n`,
  );
  const fault = { status: 200, body: events.join(""), contentType: "text/event-stream" };
  server = await startScriptedServer({ script: [{ fault }] });
  const settings = providerSettings({ openaiCompatible: { baseUrl: server.url, apiKey: null } });
  const request = { ...USER_REQUEST, tools: [...USER_REQUEST.tools, calculate] };
  const { reply } = await askModel({ settings, request });
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
])("a call with %s is one of the tool that is meant", async (_, { id = "a", name }) => {
  const calls = await callsIn(piece({ id, function: { name, arguments: '{"x":1}' } }), end);
  expect(calls).toMatchObject([{ id, name: "calculate", args: { x: 1 } }]);
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
