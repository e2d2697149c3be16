import { afterEach, describe, expect, it } from "vitest";
import type { ModelRequest, SentChanges } from "@/lib/agent/model";
import { createModelRegistry } from "@/lib/models/model-registry";
import type { Message } from "@/lib/schema/messages/message";
import { makePng } from "@/lib/testing/files/make-png";
import { providerSettings, REPLY_LIMITS, USER_REQUEST } from "@/lib/testing/servers/ask-scripted-server";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";
import {
  type ChatRequestBody,
  type ScriptedServer,
  startScriptedServer,
} from "@/lib/testing/servers/scripted-openai-server";
import { builtinToolInfos } from "@/lib/tools/builtin-tools";
import { createRefusalMemory } from "./refusal-memory";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

const PICTURES = new Map<string, Uint8Array>([
  ["good", makePng(8, 8)],
  ["odd", makePng(9, 9)],
  ["broken", makePng(10, 10).subarray(0, 50)],
  ...Array.from({ length: 21 }, (_, index) => [`p${index}`, makePng(20, index + 1)] as const),
]);
const user = (content: string, ...hashes: string[]): Message => ({
  role: "user",
  content,
  images: hashes.map((hash) => ({ path: `/w/${hash}.png`, mediaType: "image/png", hash, sizeBytes: 90 })),
});
const reply = (content: string): Message => ({ role: "assistant", content, toolCalls: [] });

/** Asks with each history in turn, as a thread does. */
async function converse(
  answer: (request: ChatRequestBody) => ScriptedAnswer,
  histories: readonly (readonly Message[])[],
  { vision = true, ...request }: Partial<ModelRequest> & { vision?: boolean } = {},
) {
  server = await startScriptedServer({ script: answer });
  const memory = createRefusalMemory();
  const own = {
    id: "own",
    kind: "openai-compatible" as const,
    name: "Own",
    baseUrl: server.url,
    apiKey: null,
    models: [{ id: "m", vision }],
    allowedRoles: [],
    problem: null,
  };
  const registry = createModelRegistry({ ...providerSettings(), own: [own] }, undefined, undefined, memory);
  const retries: string[] = [];
  const sentChanges: SentChanges[] = [];
  const replies: { text: string; notices?: string[] | undefined }[] = [];
  for (const messages of histories) {
    const port = registry.resolve("own:m", {
      fallbacks: [],
      retries: 0,
      timeouts: { model_ms: 20_000, idle_ms: 10_000 },
      replyLimits: REPLY_LIMITS,
      readImage: async (hash) => PICTURES.get(hash) ?? null,
    });
    const asked = port.call(
      { ...USER_REQUEST, ...request, messages },
      {
        signal: new AbortController().signal,
        onRetry: ({ error }) => void retries.push(error.message),
        onSent: (changes) => void sentChanges.push(changes),
      },
    );
    replies.push(
      await asked.then(
        ({ content, notices }) => ({ text: content, notices }),
        (error: Error) => ({ text: error.message }),
      ),
    );
  }
  return { memory, replies, retries, sentChanges, requests: server.requests.map(({ body }) => body) };
}

const sent = (body: ChatRequestBody | undefined) => JSON.stringify(body?.messages);
const pictureCount = (body: ChatRequestBody | undefined) => sent(body).split('"image_url":').length - 1;

describe("a picture that cannot be decoded", () => {
  it("is named to the model and to the person, and later messages work", async () => {
    const first = [user("what is this?", "broken", "good")];
    const { replies, retries, requests } = await converse(
      () => ({ text: "fine" }),
      [first, [...first, reply("fine"), user("never mind")]],
    );
    expect(replies).toEqual([
      { text: "fine", notices: ["broken.png is damaged. The model was not shown it."] },
      { text: "fine", notices: undefined },
    ]);
    expect(retries).toEqual([]);
    expect(requests.map(pictureCount)).toEqual([1, 1]);
    expect(sent(requests[0])).toContain("this picture is damaged");
  });

  it("is told as left out, as is a tool that is refused", async () => {
    const tools = [{ name: "odd_tool", description: "", parameters: { type: "object" } }];
    const { sentChanges } = await converse(
      (body) =>
        body.tools ? { fault: { status: 400, message: "Invalid schema for function 'odd_tool'." } } : { text: "ok" },
      [[user("look", "broken", "good")]],
      { tools },
    );
    const told = Object.assign({}, ...sentChanges.map((changes) => changes.left_out));
    expect(told).toMatchObject({ pictures: ["broken.png"], tools: ["odd_tool"], older_pictures: 0, thoughts: 0 });
  });

  it("is not sent in the place of a newer one either", async () => {
    const many = Array.from({ length: 19 }, (_, index) => `p${index}`);
    const { requests } = await converse(
      () => ({ text: "fine" }),
      [[user("old", "broken"), user("look", ...many, "broken", "gone")]],
    );
    expect(requests.map(pictureCount)).toEqual([19]);
  });
});

describe("a picture that the provider refuses all the same", () => {
  const REFUSALS = [
    "Could not process image",
    "messages.0.content.1.image.source.base64: invalid base64 data",
    "Invalid image data.",
    "You uploaded an unsupported image. Please make sure your image is valid.",
    "Failed to decode image_url: cannot identify image file",
    "At most 0 image(s) may be provided in one request.",
    "Provided image is not valid.",
    "图片格式错误",
    "Bad Request",
    "invalid input",
  ];
  /** Refuses a picture of nine pixels, as long as it is there. */
  const refusing = (message: string, status: number) => (body: ChatRequestBody) => {
    const odd = PICTURES.get("odd") ?? new Uint8Array();
    return sent(body).includes(Buffer.from(odd).toString("base64")) ? { fault: { status, message } } : { text: "fine" };
  };

  it.each(REFUSALS)("is left out of the next attempt and from then on: %s", async (message) => {
    const first = [user("look", "odd")];
    const { replies, retries, requests } = await converse(refusing(message, 400), [
      first,
      [...first, reply("fine"), user("never mind")],
    ]);
    expect(replies).toEqual([
      { text: "fine", notices: ["odd.png was refused by the model's provider. The model was not shown it."] },
      { text: "fine", notices: undefined },
    ]);
    expect(retries).toEqual([expect.stringContaining("asked again without the picture")]);
    expect(requests.map(pictureCount)).toEqual([1, 0, 0]);
    expect(sent(requests[1])).toContain("was refused by the model's provider");
  });

  it("leaves those in that the provider has taken before", async () => {
    const first = [user("look", "good")];
    const second = [...first, reply("fine"), user("and this", "odd")];
    const { requests, replies } = await converse(refusing("Invalid image", 400), [first, second]);
    expect(requests.map(pictureCount)).toEqual([1, 2, 1]);
    expect(replies[1]?.text).toBe("fine");
  });

  it("ends the run with the first refusal where it is not the picture", async () => {
    const { replies, requests } = await converse(
      () => ({ fault: { status: 400, message: "Could not process image" } }),
      [[user("look", "good")]],
    );
    expect(replies[0]?.text).toContain("Could not process image");
    expect(requests).toHaveLength(2);
  });

  it.each([
    [401, "invalid api key"],
    [404, "model not found"],
    [400, "temperature must be at most 1"],
    [400, "Unsupported parameter: top_p"],
  ])("is not blamed for %i %s", async (status, message) => {
    const { requests } = await converse(() => ({ fault: { status, message } }), [[user("look", "good")]]);
    expect(requests).toHaveLength(1);
  });
});

describe("anything else of a history that a provider refuses each time", () => {
  const call = { id: "call_1", name: "ls", args: { path: "/w" }, rawArgs: '{"path":"/w"}' };
  const called: Message[] = [
    { role: "user", content: "list" },
    { id: "m1", role: "assistant", content: "", toolCalls: [call] },
    { id: "m2", role: "tool", toolCallId: "call_1", name: "ls", content: "a.txt" },
    { id: "m3", role: "assistant", content: "There is a.txt.", toolCalls: [] },
    { role: "user", content: "thanks" },
  ];
  const refusingCalls = (message: string) => (body: ChatRequestBody) =>
    sent(body).includes("tool_call") ? { fault: { status: 400, message } } : { text: "fine" };

  it.each([
    "messages.1.content.0.tool_use.name: String should match pattern",
    "Invalid 'messages[1].tool_calls[0].function.arguments'",
    "tool_call_ids did not have response messages",
    "Bad Request",
  ])("is written as text, and later messages work at once: %s", async (message) => {
    const later = [...called, reply("fine"), { role: "user" as const, content: "bye" }];
    const { replies, requests } = await converse(refusingCalls(message), [called, later]);
    expect(replies.map(({ text }) => text)).toEqual(["fine", "fine"]);
    expect(replies[0]?.notices).toEqual([expect.stringContaining("refused earlier tool calls")]);
    expect(replies[1]?.notices).toBeUndefined();
    expect(requests).toHaveLength(3);
    expect(sent(requests[1])).toContain('[Called ls with {\\"path\\":\\"/w\\"}]');
    expect(sent(requests[1])).toContain("[Result of ls]\\na.txt");
  });

  it("is first sent without thoughts of the model", async () => {
    const thought: Message = {
      id: "m1",
      role: "assistant",
      content: "4",
      toolCalls: [],
      reasoning: [{ text: "2 and 2", providerMetadata: { "openai-compatible": { fields: { odd: "x" } } } }],
    };
    let count = 0;
    const { replies, requests } = await converse(
      () =>
        count++ === 0 ? { fault: { status: 400, message: "Invalid signature in thinking block" } } : { text: "fine" },
      [[{ role: "user", content: "2+2" }, thought, { role: "user", content: "sure?" }]],
    );
    expect(requests).toHaveLength(2);
    expect(replies[0]?.notices).toEqual([expect.stringContaining("earlier thoughts")]);
  });

  it("is asked for a bounded number of times", async () => {
    const refusal = { fault: { status: 400, message: "Bad Request" } };
    const { replies, requests } = await converse(() => refusal, [[...called.slice(0, 4), user("look", "good", "odd")]]);
    expect(replies[0]?.text).toContain("rejected the request (400)");
    expect(requests.length).toBeLessThanOrEqual(5);
  });
});

describe("a tool that the provider refuses", () => {
  const tool = (name: string, description = "A tool.") => ({
    name,
    description,
    parameters: { type: "object", properties: {} },
  });
  const refusingTool = (name: string) => (body: ChatRequestBody) =>
    body.tools?.some((entry) => entry.function.name === name)
      ? { fault: { status: 400, message: `Invalid schema for function '${name}': object schema missing properties.` } }
      : { text: "fine" };

  it("is left out with a notice, at once the next time, and tried again once it changes", async () => {
    const { replies, requests, memory } = await converse(
      refusingTool("odd_tool"),
      [[{ role: "user", content: "hi" }], [{ role: "user", content: "again" }]],
      { tools: [tool("ls"), tool("odd_tool")] },
    );
    expect(replies.map(({ text }) => text)).toEqual(["fine", "fine"]);
    expect(replies[0]?.notices).toEqual([
      "The provider own does not accept the tool odd_tool. It is left out for m until the tool changes.",
    ]);
    expect(replies[1]?.notices).toBeUndefined();
    expect(requests.map((body) => body.tools?.length)).toEqual([2, 1, 1]);
    expect(sent(requests[2])).toContain("not available with this model");
    expect(memory.kept().tools).toMatchObject([{ provider: "own", model: "m", tool: "odd_tool" }]);
    expect(memory.of("own", "other").tools).toEqual([]);
  });

  it("is also ask_user, of which each run says that the agent cannot ask", async () => {
    const { replies, requests } = await converse(
      refusingTool("ask_user"),
      [[{ role: "user", content: "hi" }], [{ role: "user", content: "again" }]],
      { tools: [tool("ask_user"), tool("message")] },
    );
    expect(replies).toEqual([
      {
        text: "fine",
        notices: ["The provider own does not accept the tool ask_user. It is left out for m until the tool changes."],
      },
      {
        text: "fine",
        notices: ["The agent can ask you nothing: the provider own does not accept the tool ask_user for m."],
      },
    ]);
    expect(requests.map((body) => body.tools?.map((entry) => entry.function.name))).toEqual([
      ["ask_user", "message"],
      ["message"],
      ["message"],
    ]);
  });

  const builtin = builtinToolInfos();
  it.each(builtin.map(({ name }) => [name]))("may be any of the built-in ones: %s", async (name) => {
    const { replies, requests } = await converse(refusingTool(name), [[{ role: "user", content: "hi" }]], {
      tools: builtin,
    });
    expect(replies[0]?.notices).toEqual([expect.stringContaining(`does not accept the tool ${name}.`)]);
    expect(requests.map((body) => body.tools?.length)).toEqual([builtin.length, builtin.length - 1]);
  });
});

describe("a refusal about lengths", () => {
  const hi: Message[] = [{ role: "user", content: "hi" }];

  it("that leaves room for a shorter answer is asked again for that", async () => {
    const message =
      "This model's maximum context length is 8192 tokens. However, you requested 12192 tokens (4192 in the messages, 8000 in the completion).";
    const { replies, requests } = await converse(
      ({ max_tokens: limit }) => (Number(limit) > 4_000 ? { fault: { status: 400, message } } : { text: "fine" }),
      [hi],
      { maxTokens: 8_000 },
    );
    expect(requests.map((body) => body.max_tokens)).toEqual([8_000, 3_984]);
    expect(replies).toEqual([
      { text: "fine", notices: ["The model has room for an answer of 3984 tokens, not of 8000 (max_tokens)."] },
    ]);
  });

  it("is asked again once, not over and over", async () => {
    const message = "max_tokens: 8000 > 4096, which is the maximum allowed number of output tokens";
    const { replies, requests } = await converse(() => ({ fault: { status: 400, message } }), [hi], {
      maxTokens: 8_000,
    });
    expect(requests).toHaveLength(2);
    expect(replies[0]?.text).toContain("rejected the request (400)");
  });

  it("says how long the conversation is, and keeps the limit that it names", async () => {
    const message = "prompt token count of 128100 exceeds the limit of 128000";
    const { replies, requests, memory } = await converse(() => ({ fault: { status: 400, message } }), [hi, hi]);
    expect(requests).toHaveLength(2);
    expect(replies[0]?.text).toMatch(
      /It has 128,100 tokens, and the model takes 128,000\. An administrator .*\/compact/,
    );
    expect(memory.kept().limits).toEqual([{ provider: "own", model: "m", contextWindow: 128_000, words: message }]);
  });

  it("contradicts no refusal by an estimate below the limit", async () => {
    const message = "Range of input length should be [1, 30720]";
    const { replies } = await converse(() => ({ fault: { status: 400, message } }), [hi]);
    expect(replies[0]?.text).toMatch(/too long for own:m \(400\)\. The model takes 30,720 tokens\. An administrator/);
  });

  it("says about how long it is where the provider does not", async () => {
    const { replies, memory } = await converse(
      () => ({ fault: { status: 400, message: "Prompt exceeds max length" } }),
      [[{ role: "user", content: "word ".repeat(4_000) }]],
    );
    expect(replies[0]?.text).toMatch(/It has about 5,\d{3} tokens\. Shorten it with \/compact/);
    expect(memory.kept().limits).toEqual([]);
  });
});
