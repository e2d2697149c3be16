import { createOpenAI } from "@ai-sdk/openai";
import { generateText, type ModelMessage } from "ai";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { responsesServer } from "@/lib/testing/clients/responses-server";

const { start, client, asked } = responsesServer();
const model = "agent:coder";
const user = (content: unknown) => ({ role: "user", content });

test.each<[string, unknown, string[]]>([
  ["text", "a", ["user: a"]],
  ["a message item", [{ type: "message", ...user("a") }], ["user: a"]],
  ["content parts", [user([{ type: "input_text", text: "a" }])], ["user: a"]],
  ["one item without a list", user("a"), ["user: a"]],
  ["items that are text", ["a"], ["user: a"]],
  [
    "an earlier reply as an output message",
    [
      user("a"),
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        phase: "final_answer",
        content: [{ type: "output_text", text: "b", annotations: [] }],
      },
      user("c"),
    ],
    ["user: a", "assistant: b", "user: c"],
  ],
  [
    "calls of another model's tools and their results",
    [
      user("Look for otters."),
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA" },
      { type: "function_call", call_id: "c1", name: "search", arguments: '{"q":"otters"}' },
      { type: "function_call_output", call_id: "c1", output: "Two found." },
      { type: "custom_tool_call", call_id: "c2", name: "apply_patch", input: "*** Begin" },
      { type: "custom_tool_call_output", call_id: "c2", output: [{ type: "input_text", text: "Done." }] },
      { type: "local_shell_call", call_id: "c3", status: "completed", action: { type: "exec", command: ["ls"] } },
      { type: "local_shell_call_output", call_id: "c3", output: "a.txt" },
      { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "otters" } },
      { type: "mcp_list_tools", id: "mcpl_1", server_label: "x", tools: [] },
      { type: "mcp_call", id: "mcp_1", server_label: "x", name: "count", arguments: "{}", output: "2", error: null },
      { type: "compaction", encrypted_content: "gAAAA" },
      user("Why?"),
    ],
    [
      "user: Look for otters.",
      'assistant: [Called search with {"q":"otters"}]',
      "user: [Result of search]\nTwo found.",
      'assistant: [Called apply_patch with {"arguments":"*** Begin"}]',
      "user: [Result of apply_patch]\nDone.",
      'assistant: [Called local_shell_call with {"type":"exec","command":["ls"]}]',
      "user: [Result of local_shell_call]\na.txt",
      "assistant: [Called count with {}]",
      "user: [Result of count]\n2",
      "user: Why?",
    ],
  ],
])("%s: what clients send is taken", async (_, input, want) => {
  await start([{ text: "Fine." }]);
  const response = await client().responses.create({ model, input } as never);
  expect((response as OpenAI.Responses.Response).output_text).toBe("Fine.");
  expect(asked(0).slice(1).join("\n")).toBe(want.join("\n"));
});

test("a developer's message is part of the agent's prompt", async () => {
  await start([{ text: "Fine." }]);
  const input = [
    { role: "developer" as const, content: "Be brief." },
    { role: "user" as const, content: "a" },
  ];
  await client().responses.create({ model, input });
  expect(asked(0)).toEqual([expect.stringMatching(/^system: .*Be brief\.$/s), "user: a"]);
});

/** What Codex sends beside its input, without its tools. */
const CODEX = {
  instructions: "You are a coding agent.",
  tools: [],
  tool_choice: "auto",
  parallel_tool_calls: false,
  reasoning: { effort: "medium", summary: "auto" },
  store: false,
  stream: false,
  include: ["reasoning.encrypted_content"],
  prompt_cache_key: "0199a213-81c0-7800-8aa1-bbab2a035a53",
  service_tier: "priority",
  text: { verbosity: "low" },
  client_metadata: { "x-codex-installation-id": "1" },
};

test.each([
  CODEX,
  {
    tools: null,
    text: null,
    metadata: null,
    previous_response_id: null,
    store: null,
    stream: null,
    instructions: null,
  },
  { tools: [], text: {}, metadata: [], previous_response_id: "", store: "true", stream: 0, instructions: " " },
  { tools: [{ type: "function", name: "x", parameters: {} }], tool_choice: "none" },
  { text: { format: { type: "text" }, verbosity: "high" }, background: false, conversation: null, prompt: null },
  {
    temperature: 0.2,
    top_p: 1,
    max_output_tokens: 100,
    max_tool_calls: 3,
    truncation: "auto",
    user: "u",
    top_logprobs: 0,
  },
  { safety_identifier: "s", stream_options: { include_obfuscation: false }, prompt_cache_retention: "24h" },
])("fields that ask for nothing here are no request: %o", async (fields) => {
  await start([{ text: "Fine." }]);
  const response = await client().responses.create({ model, input: "a", ...fields } as never);
  expect((response as OpenAI.Responses.Response).output_text).toBe("Fine.");
});

test.each([
  [{ tools: [{ type: "function", name: "x", parameters: {} }] }, "tools"],
  [{ tools: [{ type: "web_search" }], tool_choice: "auto" }, "tools"],
  [{ text: { format: { type: "json_schema", name: "x", schema: {} } } }, "text.format"],
  [{ background: true }, "background"],
  [{ conversation: "conv_1" }, "conversation"],
  [{ prompt: { id: "pmpt_1" } }, "prompt"],
  [{ metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, "v"])) }, "metadata"],
  [{ metadata: { a: "x".repeat(513) } }, "metadata"],
  [{ input: [] }, "input"],
  [{ input: undefined }, "input"],
  [{ input: " \n" }, "input"],
  [{ input: [{ role: "assistant", content: "hi" }] }, "input"],
  [{ input: [{ role: "critic", content: "hi" }] }, "input.0"],
  [{ input: [user([{ type: "input_file", file_id: "f" }])] }, "input.0.content"],
  [{ input: [user([{ type: "input_image", image_url: "https://x.test/a.png" }])] }, "input.0.content"],
])("%o is a 400 in OpenAI's shape", async (change, param) => {
  await start([]);
  const body = { model, input: "hi", ...change };
  const error = await client()
    .responses.create(body as never)
    .then(
      () => null,
      (caught: unknown) => caught,
    );
  expect(error).toBeInstanceOf(OpenAI.BadRequestError);
  expect((error as InstanceType<typeof OpenAI.BadRequestError>).param).toContain(param);
});

test("an unknown model is a 404 and a wrong key a 401", async () => {
  await start([]);
  const ask = (name: string) => client().responses.create({ model: name, input: "hi" });
  await expect(ask("gpt-5")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  await expect(ask("agent:nobody")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  client().apiKey = "rm_wrong";
  await expect(ask(model)).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
});

test("items of earlier responses are named by their ids, as the AI SDK does", async () => {
  await start([
    { text: "Looking.", calls: [{ name: "write_todos", args: { todos: [] } }] },
    { text: "None." },
    { text: "Sure." },
  ]);
  const { baseURL, apiKey } = client();
  const openai = createOpenAI({ baseURL, apiKey: apiKey ?? "" });
  const messages: ModelMessage[] = [{ role: "user", content: "What is to do?" }];
  const first = await generateText({ model: openai.responses(model), messages });
  expect(first.text).toContain("None.");
  const next: ModelMessage[] = [...messages, ...first.response.messages, { role: "user", content: "Sure?" }];
  const second = await generateText({ model: openai.responses(model), messages: next });
  expect(second.text).toBe("Sure.");
  expect(asked(2).slice(1)).toEqual([
    "user: What is to do?",
    "assistant: Looking.",
    expect.stringContaining("[Called write_todos"),
    expect.stringContaining("[Result of write_todos]"),
    "assistant: None.",
    "user: Sure?",
  ]);
});

test("an item that no response of the caller has is a 404", async () => {
  await start([{ text: "One." }]);
  const input = [{ type: "item_reference", id: "msg_run_0_1" }, user("hi")];
  const error = { status: 404, type: "invalid_request_error", param: "input" };
  await expect(client().responses.create({ model, input } as never)).rejects.toMatchObject(error);
});
