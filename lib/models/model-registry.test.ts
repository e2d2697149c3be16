import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { askModel, providerSettings, REPLY_LIMITS } from "@/lib/testing/servers/ask-scripted-server";
import { type ScriptedServer, startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";
import { createModelRegistry } from "./model-registry";

const key = (apiKey: string) => ({ apiKey, baseUrl: null });
const at = (baseUrl: string) => ({ apiKey: null, baseUrl });
const options = { fallbacks: [], retries: 0, timeouts: { model_ms: 1_000, idle_ms: 1_000 }, replyLimits: REPLY_LIMITS };
let server: ScriptedServer | undefined;
afterEach(() => server?.close());

describe("resolve", () => {
  it.each([
    ["openai:gpt-4o", "Set OPENAI_API_KEY"],
    ["anthropic:claude-haiku-4-5", "Set ANTHROPIC_API_KEY"],
    ["google:gemini-2.5-pro", "Set GOOGLE_GENERATIVE_AI_API_KEY"],
    ["openai-compatible:m", "Set OPENAI_COMPATIBLE_BASE_URL"],
    ["ollama:llama3.2:3b", "Set OLLAMA_BASE_URL"],
    ["scripted:m", "Set RINGMASTER_SCRIPTED_MODEL_URL"],
    ["nobody:m", 'Unknown provider "nobody". Known providers: openai, anthropic'],
    ["demo:gpt", "one model, demo:demo"],
  ])("%s without configuration: %s", (spec, words) => {
    expect(() => createModelRegistry(providerSettings()).resolve(spec, options)).toThrow(words);
  });

  it("refuses an address that is none of the web, with the agent to correct, from before saving refused it", () => {
    const spec = { provider: "openai-compatible", model: "m", base_url: "file:///etc/passwd" };
    expect(createModelRegistry(providerSettings()).problemOf(spec, "fail")).toMatch(/http:\/\/ or https:\/\/.*Correct/);
  });

  it("names its model and keeps everything after the first colon", () => {
    const registry = createModelRegistry(providerSettings({ ollama: at("http://127.0.0.1:1/v1") }));
    expect(registry.resolve("ollama:llama3.2:3b", options).name).toBe("ollama:llama3.2:3b");
    expect(registry.resolve("demo:demo", options).name).toBe("demo:demo");
  });

  it("calls the next model when the first can't be used at all", async () => {
    const settings = providerSettings();
    const { reply, retries } = await askModel({ settings, spec: "openai:gpt-4o", fallbacks: ["demo:demo"] });
    expect(reply?.model).toBe("demo:demo");
    expect(retries[0]?.error.message).toContain("OPENAI_API_KEY");
  });

  it("sends the key of the environment, and only to the address of the environment", async () => {
    server = await startScriptedServer({ script: [{ text: "hi" }] });
    const settings = providerSettings({ openaiCompatible: { baseUrl: server.url, apiKey: "sk-environment" } });
    await askModel({ settings });
    const elsewhere = { provider: "openai-compatible", model: "m", base_url: server.url };
    await askModel({ settings, spec: elsewhere });
    await askModel({ settings, spec: { ...elsewhere, api_key_ref: "openai-compatible" } });
    expect(server.requests.map((request) => request.headers.authorization)).toEqual([
      "Bearer sk-environment",
      undefined,
      "Bearer sk-environment",
    ]);
  });

  it("refuses a custom address without its own key where a key is needed", () => {
    const registry = createModelRegistry(providerSettings({ openai: key("sk-environment") }));
    const spec = { provider: "openai", model: "m", base_url: "http://127.0.0.1:1" };
    expect(() => registry.resolve(spec, options)).toThrow("needs api_key_ref");
    for (const api_key_ref of ["toString", "demo", "anthropic"]) {
      expect(() => registry.resolve({ ...spec, api_key_ref }, options)).toThrow(`and "${api_key_ref}" is none`);
    }
    const named = { ...spec, api_key_ref: "openai" };
    expect(() => registry.resolve(named, options)).toThrow("goes only to https://api.openai.com");
    expect(registry.problemOf(named, "fail")).toContain("for which it was entered");
  });
});

describe("defaultModel", () => {
  it.each([
    [{ openai: key("a"), anthropic: key("b") }, "openai:gpt-6-sol"],
    [{ anthropic: key("b"), google: key("c") }, "anthropic:claude-sonnet-5-5"],
    [{ google: key("c"), ollama: at("http://127.0.0.1:1") }, "google:gemini-4-argon"],
    [{}, "demo:demo"],
    [{ scripted: at("http://127.0.0.1:1") }, "demo:demo"],
  ])("of %j is %s", async (providers, expected) => {
    expect(await createModelRegistry(providerSettings(providers)).defaultModel()).toBe(expected);
  });

  it("is what RINGMASTER_DEFAULT_MODEL says", async () => {
    const settings = { ...providerSettings({ openai: key("a") }), defaultModel: "ollama:x" };
    expect(await createModelRegistry(settings).defaultModel()).toBe("ollama:x");
  });

  it("is the first model that a compatible server lists, asked once", async () => {
    server = await startScriptedServer({ script: [], models: ["big", "small"] });
    const registry = createModelRegistry(providerSettings({ openaiCompatible: at(server.url) }));
    expect(await registry.defaultModel()).toBe("openai-compatible:big");
    await server.close();
    expect(await registry.defaultModel()).toBe("openai-compatible:big");
  });

  it("gives the reason when the server can't be asked", async () => {
    const registry = createModelRegistry(providerSettings({ ollama: at("http://127.0.0.1:1/v1") }));
    await expect(registry.defaultModel()).rejects.toThrow(
      /Cannot list the models of ollama at http:\/\/127\.0\.0\.1:1\/v1: /,
    );
  });
});

describe("providers", () => {
  it("shows what can be called, and never a key", () => {
    const infos = createModelRegistry(providerSettings({ anthropic: key("sk-ant-secret") })).providers();
    expect(infos.map((info) => info.id)).toEqual(["anthropic", "demo"]);
    expect(infos[0]).toMatchObject({ source: "environment", variable: "ANTHROPIC_API_KEY" });
    expect(infos[1]).toMatchObject({ source: "built-in", offered: ["demo"] });
    expect(JSON.stringify(infos)).not.toContain("secret");
  });

  it("lists the models that a provider offers", async () => {
    server = await startScriptedServer({ script: [], models: ["a", "b"] });
    const registry = createModelRegistry(providerSettings({ scripted: at(server.url) }));
    expect(await registry.listModels("scripted")).toEqual(["a", "b"]);
    expect(await registry.listModels("demo")).toEqual(["demo"]);
    await expect(registry.listModels("openai")).rejects.toThrow("OPENAI_API_KEY");
  });

  it.each<[string, unknown]>([
    ["an array", [{ id: "a", object: "model" }, { id: "b" }]],
    ["data", { object: "list", data: [{ id: "a" }, { id: "b" }] }],
    ["models by name (Ollama)", { models: [{ name: "a", model: "a" }, { name: "b" }] }],
    ["texts", { data: ["a", "b"] }],
    ["data in data", { success: true, data: { items: [{ id: "a" }, { id: "b" }] } }],
    ["an object by id", { data: { a: { context: 1 }, b: {} } }],
    ["a list under another name", { code: 0, model_list: [{ model_id: "a" }, { modelId: "b" }] }],
    ["a list in an envelope", { response: { payload: { list: [{ modelName: "a" }, "b"] } } }],
    ["grouped by kind", { data: { chat: [{ id: "a" }], embedding: [{ id: "b" }] } }],
    ["grouped by provider", { models: { one: ["a"], two: ["b"] } }],
    [
      "groups in an array",
      [
        { provider: "one", models: ["a"] },
        { name: "Two", models: [{ id: "b" }] },
      ],
    ],
    [
      "groups with ids",
      {
        data: [
          { id: "one", models: [{ id: "a" }] },
          { id: "two", data: [{ name: "b" }] },
        ],
      },
    ],
    ["providers by id, each with models by id", { one: { id: "one", models: { a: {} } }, two: { models: { b: {} } } }],
    ["LM Studio's own", { models: [{ type: "llm", key: "a", display_name: "A" }, { key: "b" }] }],
    ["models by id at the top", { a: { context_length: 1 }, b: { object: "model" } }],
    ["a list written as an object", { data: { 0: { id: "a" }, 1: { name: "b" } } }],
    ["by a number of their own", { data: { x: { id: "a", name: "A" }, y: { model: "b" } } }],
    [
      "models that name others",
      [
        { id: "a", models: ["c"] },
        { id: "b", models: [] },
      ],
    ],
    ["objects in objects", { data: [{ model: { id: "a", name: "A" } }, { model: { name: "b" } }] }],
    ["ids that are none", [{ id: "a\0" }, { id: "x\ny" }, { id: "x".repeat(400) }, { id: "a" }, { id: "b" }]],
    ["odd entries", [{ id: "a" }, null, {}, { id: "" }, { id: 7 }, 7, { id: "a" }, { model_name: " b " }]],
  ])("reads a list that is %s", async (_, body) => {
    const registry = await listing(JSON.stringify(body));
    expect(await registry.listModels("openai-compatible")).toEqual(["a", "b"]);
  });

  it.each(['\uFEFF{"data":["a","b"]}', '{"id":"a"}\n{"id":"b"}\n'])("reads JSON with odd edges: %s", async (body) => {
    expect(await (await listing(body)).listModels("openai-compatible")).toEqual(["a", "b"]);
  });

  it.each([
    ['{"data":[{"key":1}]}', /not a list of models/],
    ['{"error":"no such path"}', /not a list of models.*no such path/],
    ['{"detail":"Not Found"}', /not a list of models.*Not Found/],
    ['{"error":{"type":"x","message":"no"}}', /not a list of models.*no/],
    ['{"status":{"ok":true},"usage":{"total":1}}', /not a list of models/],
    ["7", /not a list of models/],
    ['{"error":{"message":"bad key"},"data":[]}', /not a list of models.*bad key/],
    ["<html>", /not JSON/],
    [" ", /not JSON/],
  ])("says what came instead of a list: %s", async (body, words) => {
    await expect((await listing(body)).listModels("openai-compatible")).rejects.toThrow(words);
  });

  it.each<[string, string, object, object]>([
    ["anthropic", "after_id=a", { data: [{ id: "a" }], has_more: true, last_id: "a" }, { data: [{ id: "b" }] }],
    ["openai-compatible", "after=a", { data: [{ id: "a" }], has_more: true, last_id: "a" }, { data: [{ id: "b" }] }],
    [
      "google",
      "pageToken=t",
      { models: [{ name: "models/a" }], nextPageToken: "t" },
      { models: [{ name: "models/b" }], nextPageToken: "" },
    ],
  ])("reads all pages of a list of %s, and ends where a server has only one", async (kind, cursor, first, second) => {
    const asked: string[] = [];
    const answer = async (url: string) => {
      asked.push(url);
      return new Response(JSON.stringify(url.includes(cursor) ? second : first));
    };
    vi.stubGlobal("fetch", answer);
    const connection = { apiKey: "k", baseUrl: "https://models.example.test/v1" };
    const registry = createModelRegistry(
      providerSettings({ anthropic: connection, google: connection, openaiCompatible: connection }),
    );
    expect(await registry.listModels(kind)).toEqual(["a", "b"]);
    expect(asked).toHaveLength(2);
    asked.length = 0;
    vi.stubGlobal("fetch", async (url: string) => answer(url.replace(cursor, "")));
    expect(await registry.listModels(kind)).toEqual(["a"]);
    expect(asked).toHaveLength(2);
    vi.unstubAllGlobals();
  });

  it("passes over what Google can't generate with, and entries without a name", async () => {
    const models = [
      { name: "models/a", supportedGenerationMethods: ["generateContent"] },
      { name: "models/embed", supportedGenerationMethods: ["embed"] },
      {},
      { name: "models/b" },
    ];
    const url = await serveText(JSON.stringify({ models }));
    const registry = createModelRegistry(providerSettings({ google: { apiKey: "k", baseUrl: url } }));
    expect(await registry.listModels("google")).toEqual(["a", "b"]);
  });
});

let lists: Server | undefined;
afterEach(() => lists?.close());

async function serveText(body: string): Promise<string> {
  lists = createServer((_, response) => response.end(body));
  await once(lists.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(lists.address() as AddressInfo).port}/v1`;
}

async function listing(body: string) {
  return createModelRegistry(providerSettings({ openaiCompatible: at(await serveText(body)) }));
}
