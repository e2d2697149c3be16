import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PATCH as changeDefaultsRoute, GET as defaultsRoute } from "@/app/api/model-defaults/route";
import { GET as agentsRoute } from "@/app/api/providers/[providerId]/agents/route";
import { GET as modelsRoute } from "@/app/api/providers/[providerId]/models/route";
import { DELETE as deleteRoute, GET as getRoute, PATCH as patchRoute } from "@/app/api/providers/[providerId]/route";
import { POST as testRoute } from "@/app/api/providers/[providerId]/test/route";
import { POST as addRoute, GET as listRoute } from "@/app/api/providers/route";
import { POST as sendRoute } from "@/app/api/threads/[threadId]/messages/route";
import { GET as threadRoute } from "@/app/api/threads/[threadId]/route";
import { POST as openRoute } from "@/app/api/threads/route";
import { Provider, ProviderList } from "@/lib/schema/provider";
import { createAgent } from "@/lib/server/agents/publish-version";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { type ScriptedServer, startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";

let server: RunServer;
let own: ScriptedServer;

beforeAll(async () => {
  server = await startRunServer([{ text: "scripted" }], { OPENAI_API_KEY: "sk-environment-key" });
});
afterAll(() => server.close());

beforeEach(async () => {
  own = await startScriptedServer({ script: [{ text: "Ready." }], models: ["small", "large"] });
});
afterEach(async () => {
  for (const { id } of await server.database.provider.findMany()) {
    await server.call(deleteRoute, { ...at(id), method: "DELETE" });
  }
  await changeDefaults({ model: null, fallbacks: [] });
  await own.close();
});

const KEY = "sk-own-0123456789-q4Xw";

function add(body: Record<string, unknown> = {}) {
  const given = { id: "lab", kind: "openai-compatible", name: "Lab", baseUrl: own.url, apiKey: KEY, ...body };
  return server.call(addRoute, { as: "admin", body: given });
}

const at = (providerId: string) => ({ as: "admin" as const, params: { providerId } });
const changeDefaults = (body: unknown) => server.call(changeDefaultsRoute, { as: "admin", method: "PATCH", body });
const patch = (id: string, body: unknown) => server.call(patchRoute, { ...at(id), method: "PATCH", body });

async function listAs(as: "admin" | "member"): Promise<ProviderList> {
  return ProviderList.parse(await (await server.call(listRoute, { as })).json());
}

/** The status and message of the reply to a message sent to an agent with `model`. */
async function chat(model: string | null, as: "admin" | "member" = "admin") {
  const agentId = `a-${crypto.randomUUID()}`;
  await createAgent(server.services, { agentId, raw: { name: "A", model, retries: 0 }, createdById: null });
  const opened = await (await server.call(openRoute, { as, body: { agentId } })).json();
  const params = { threadId: opened.id };
  const reply = await server.call(sendRoute, { as, params, body: { content: "hi" } });
  if (reply.status !== 202) return { status: reply.status, words: (await reply.json()).error.message };
  const { runId } = await reply.json();
  await expect
    .poll(async () => (await server.database.run.findUnique({ where: { id: runId } }))?.endedAt, { timeout: 10_000 })
    .toBeTruthy();
  const run = await server.database.run.findUniqueOrThrow({ where: { id: runId } });
  const thread = await (await server.call(threadRoute, { as, params })).json();
  const said = thread.messages.at(-1).parts.findLast((part: { type: string }) => part.type === "text")?.text;
  return { status: 202, words: run.errorMessage ?? said, costUsd: run.costUsd };
}

describe("adding", () => {
  test("stores the key encrypted and never shows it", async () => {
    const reply = await add();
    expect(reply.status).toBe(201);
    const added = Provider.parse(await reply.json());
    expect(added).toMatchObject({ id: "lab", kind: "openai-compatible", source: "database", baseUrl: own.url });
    expect(added.apiKey).toMatchObject({
      set: true,
      ending: "q4Xw",
      keyId: expect.any(String),
      setByName: "The admin",
    });
    const row = await server.database.provider.findUniqueOrThrow({ where: { id: "lab" } });
    expect(JSON.stringify([row, await listAs("admin")])).not.toContain(KEY);
    const where = { target: "provider:lab", action: "provider.created" };
    const [entry] = await server.database.auditEntry.findMany({ where });
    expect(entry?.actorId).toBe("admin");
    expect(JSON.stringify(entry)).not.toContain(KEY);
  });

  test("the audit log has each change with both of its sides, and of a key only that it is another", async () => {
    await add();
    await patch("lab", { name: "Otters", models: [{ id: "small", price: { input: 1, output: 2 } }] });
    await patch("lab", { apiKey: "sk-another-0123456789" });
    await server.call(deleteRoute, { as: "admin", method: "DELETE", params: { providerId: "lab" } });
    const log = await server.database.auditEntry.findMany({
      where: { target: "provider:lab" },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    });
    const sides = log.slice(-4).map(({ before, after }) => [JSON.parse(before ?? "null"), JSON.parse(after ?? "null")]);
    const key = expect.stringMatching(/^set \([0-9a-f]{8}\)$/);
    expect(sides[0]).toEqual([null, expect.objectContaining({ kind: "openai-compatible", key })]);
    expect(sides[1]?.[0]).toEqual({ name: expect.any(String), models: expect.any(Array) });
    expect(sides[1]?.[1]).toMatchObject({ name: "Otters", models: [{ id: "small", price: { output: 2 } }] });
    expect(sides[2]).toEqual([{ key }, { key }]);
    expect(sides[2]?.[0].key).not.toBe(sides[2]?.[1].key);
    expect(sides[3]).toEqual([expect.objectContaining({ name: "Otters", key }), null]);
    expect(JSON.stringify(log)).not.toContain("sk-");
  });

  test("the next run asks it, with its key", async () => {
    await add();
    expect(await chat("lab:small")).toMatchObject({ status: 202, words: "Ready." });
    expect(own.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(own.requests[0]?.body.model).toBe("small");
  });

  test("says everything that is wrong, field by field", async () => {
    const reply = await add({ kind: "openai", apiKey: undefined, baseUrl: "http://169.254.169.254/v1" });
    expect(reply.status).toBe(400);
    const { details } = (await reply.json()).error;
    expect(details.map(({ path }: { path: string }) => path)).toEqual(["baseUrl", "apiKey"]);
    const wrong = await add({ id: "Not OK", apiKey: "two words", baseUrl: "file:///etc/passwd", extra: 1 });
    expect(wrong.status).toBe(400);
    const paths = (await wrong.json()).error.details.map(({ path }: { path: string }) => path);
    expect(paths.toSorted()).toEqual(["apiKey", "baseUrl", "extra", "id"]);
  });

  test.each(["http://[::]/v1", "http://[fe80::1]/v1", "http://0.0.0.0/v1", "http://[::ffff:169.254.169.254]/v1"])(
    "refuses %s, where no provider can be",
    async (baseUrl) => {
      expect((await add({ baseUrl })).status).toBe(400);
    },
  );

  test("a taken id is a conflict that shows the one there is", async () => {
    await add();
    const reply = await add({ name: "Other" });
    expect(reply.status).toBe(409);
    expect((await reply.json()).error).toMatchObject({ code: "conflict", details: { current: { name: "Lab" } } });
  });

  test("is for administrators", async () => {
    const body = { kind: "ollama" };
    expect((await server.call(addRoute, { as: "member", body })).status).toBe(403);
    expect((await server.call(getRoute, { ...at("openai"), as: "member" })).status).toBe(403);
  });
});

describe("a provider of the environment", () => {
  test("is shown without its key and can't be changed", async () => {
    const openai = (await listAs("admin")).providers.find(({ id }) => id === "openai");
    expect(openai).toMatchObject({ source: "environment", variable: "OPENAI_API_KEY", apiKey: { set: true } });
    expect(JSON.stringify(openai)).not.toContain("sk-environment-key");
    for (const reply of [
      await patch("openai", { name: "Mine" }),
      await server.call(deleteRoute, { ...at("openai"), method: "DELETE" }),
    ]) {
      expect(reply.status).toBe(409);
      expect((await reply.json()).error.message).toContain("OPENAI_API_KEY");
    }
    expect((await patch("nobody", { name: "Mine" })).status).toBe(404);
  });

  test("gives way to one with its id, and comes back when that is deleted", async () => {
    await add({ id: "openai" });
    const shown = (await listAs("admin")).providers.filter(({ id }) => id === "openai");
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatchObject({ name: "Lab", source: "database" });
    expect((await chat("openai:small")).words).toBe("Ready.");
    expect((await server.call(deleteRoute, { ...at("openai"), method: "DELETE" })).status).toBe(204);
    expect((await listAs("admin")).providers.find(({ id }) => id === "openai")?.source).toBe("environment");
  });
});

describe("changing", () => {
  test("a rotated key is used by the next run", async () => {
    await add();
    await patch("lab", { apiKey: "sk-rotated-0123456789" });
    await chat("lab:small");
    expect(own.requests.at(-1)?.headers.authorization).toBe("Bearer sk-rotated-0123456789");
  });

  test("keeps what the body does not name, and takes away what it names null", async () => {
    await add({ models: [{ id: "small", contextWindow: 9_000, price: { input: 1, output: 2 } }] });
    const changed = await (await patch("lab", { name: "Lab 2" })).json();
    const price = { input: 1, cachedRead: 1, cachedWrite: 1, output: 2 };
    expect(changed).toMatchObject({ name: "Lab 2", models: [{ id: "small", contextWindow: 9_000, price }] });
    expect((await (await patch("lab", { apiKey: null })).json()).apiKey).toEqual({ set: false });
    expect((await patch("lab", { baseUrl: null })).status).toBe(400);
  });

  test("the dialect that is chosen is how the next run asks it, until it is found out again", async () => {
    expect(await (await add()).json()).toMatchObject({ dialect: "auto", guessedDialect: "local" });
    const asked = async () => {
      await chat("lab:small");
      return Object.keys(own.requests.at(-1)?.body ?? {}).filter((name) => name.startsWith("max_"));
    };
    expect(await asked()).toEqual(["max_tokens"]);
    expect(await (await patch("lab", { dialect: "openai" })).json()).toMatchObject({ dialect: "openai" });
    expect(await asked()).toEqual(["max_completion_tokens"]);
    await patch("lab", { dialect: "auto" });
    expect(await asked()).toEqual(["max_tokens"]);
  });

  test("a kind with one form of requests takes no dialect, and nobody takes an unknown one", async () => {
    const pathOf = async (reply: Response) => [reply.status, (await reply.json()).error.details[0].path];
    expect(await pathOf(await add({ kind: "anthropic", dialect: "mistral" }))).toEqual([400, "dialect"]);
    expect((await add({ kind: "anthropic" })).status).toBe(201);
    expect(await pathOf(await patch("lab", { dialect: "mistral" }))).toEqual([400, "dialect"]);
    expect(await pathOf(await patch("lab", { dialect: "other" }))).toEqual([400, "dialect"]);
    expect(await (await server.call(getRoute, at("lab"))).json()).not.toHaveProperty("dialect");
  });

  test("a model that is switched off is offered to nobody, and its runs say so", async () => {
    await add({ models: [{ id: "small" }, { id: "large", enabled: false }] });
    expect((await listAs("member")).providers.find(({ id }) => id === "lab")?.offered).toEqual(["small"]);
    expect((await chat("lab:large")).words).toMatch(/lab:large is switched off\. Switch it on/);
  });

  test("a model that cannot stream is asked for a whole reply", async () => {
    await add({ models: [{ id: "small", streaming: false }] });
    expect((await chat("lab:small")).words).toBe("Ready.");
    expect(own.requests.at(-1)?.body.stream).not.toBe(true);
  });

  test("what it costs is counted at the provider's own price", async () => {
    await add({ models: [{ id: "small", price: { input: 1_000, output: 1_000 } }] });
    await own.close();
    own = await startScriptedServer({ script: [{ text: "Ready.", usage: { input: 30, output: 20 } }] });
    await patch("lab", { baseUrl: own.url, apiKey: "sk-of-the-other-address" });
    expect((await chat("lab:small")).costUsd).toBeCloseTo(0.05, 10);
  });
});

describe("what a refusal teaches", () => {
  test("is kept, shown to administrators with the words, and used by the next run", async () => {
    const words = "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    const strict = await startScriptedServer({
      script: (request) => ("max_tokens" in request ? { fault: { status: 400, message: words } } : { text: "Ready." }),
    });
    await add({ baseUrl: strict.url, models: [{ id: "gemma" }] });
    expect(await chat("lab:gemma")).toMatchObject({ words: "Ready." });
    expect(await chat("lab:gemma")).toMatchObject({ words: "Ready." });
    expect(strict.requests).toHaveLength(3);
    const traits = { maxTokensField: "max_completion_tokens" };
    const learned = [{ provider: "lab", model: "gemma", traits, words }];
    const shown = Provider.parse(await (await server.call(getRoute, at("lab"))).json());
    expect(shown.learned).toEqual(learned);
    const row = await server.database.setting.findUniqueOrThrow({ where: { key: "learned-traits" } });
    expect(JSON.parse(row.value)).toEqual(learned);
    await strict.close();
  });

  test("is not needed where the model's own settings say it", async () => {
    await add({ models: [{ id: "small", traits: { maxTokensField: "max_completion_tokens" } }] });
    await chat("lab:small");
    expect(own.requests[0]?.body).toHaveProperty("max_completion_tokens");
  });
});

describe("roles", () => {
  test("a role that may not use it gets 403 before there is a run, and does not see it", async () => {
    await add({ allowedRoles: ["admin"] });
    expect((await listAs("member")).providers.some(({ id }) => id === "lab")).toBe(false);
    const runsBefore = await server.database.run.count();
    const refused = await chat("lab:small", "member");
    expect(refused.status).toBe(403);
    expect(refused.words).toMatch(/Your role \(member\) may not use the provider lab\. Choose another model/);
    expect(await server.database.run.count()).toBe(runsBefore);
    expect((await chat("lab:small", "admin")).words).toBe("Ready.");
  });

  test("others see neither address nor key nor tests", async () => {
    await add();
    const lab = (await listAs("member")).providers.find(({ id }) => id === "lab");
    expect(Object.keys(lab ?? {}).toSorted()).toEqual(
      ["id", "isDefault", "kind", "models", "name", "offered", "problem", "source", "variable"].toSorted(),
    );
  });
});

describe("test", () => {
  test("makes a real call to the first model, and keeps what came of it", async () => {
    await add();
    const reply = await (await server.call(testRoute, { ...at("lab"), method: "POST" })).json();
    expect(reply).toMatchObject({ ok: true, model: "small", text: "Ready.", costUsd: null, byName: "The admin" });
    expect(reply.latencyMs).toBeGreaterThanOrEqual(0);
    const shown = await (await server.call(getRoute, at("lab"))).json();
    expect(shown).toMatchObject({ lastTest: { ok: true }, lastFailure: null });
  });

  test("a refused key is a result in the provider's words, without the key", async () => {
    await own.close();
    const message = `Incorrect API key provided: ${KEY}.`;
    own = await startScriptedServer({ script: [{ fault: { status: 401, message } }] });
    await add();
    const reply = await (await server.call(testRoute, { ...at("lab"), body: { model: "small" } })).json();
    expect(reply.ok).toBe(false);
    expect(reply.error).toMatch(/refused the API key \(401\)\. Check its key under Admin, Models/);
    expect(reply.error).toContain("Incorrect API key provided: [redacted]");
    expect((await (await server.call(getRoute, at("lab"))).json()).lastFailure.error).toBe(reply.error);
  });

  test("a provider that is away says so", async () => {
    await add({ baseUrl: "http://127.0.0.1:9/v1" });
    const reply = await (await server.call(testRoute, { ...at("lab"), body: { model: "m" } })).json();
    expect(reply).toMatchObject({ ok: false, model: "m" });
    expect(reply.error).toMatch(
      /Cannot reach the provider lab at http:\/\/127\.0\.0\.1:9\/v1.*Check that it is running/,
    );
    const models = await server.call(modelsRoute, at("lab"));
    expect(models.status).toBe(502);
    expect((await server.call(testRoute, { ...at("nobody"), method: "POST" })).status).toBe(404);
  });
});

test("the provider's models come with what is known of them", async () => {
  await add({ models: [{ id: "small", contextWindow: 9_000, vision: true }] });
  const reply = await (await server.call(modelsRoute, at("lab"))).json();
  expect(reply.models).toEqual([{ id: "small", contextWindow: 9_000, vision: true }, { id: "large" }]);
});

describe("defaults", () => {
  test("the chosen model answers where an agent names none", async () => {
    await add({ isDefault: true });
    expect(await (await server.call(defaultsRoute, { as: "admin" })).json()).toMatchObject({ resolved: "lab:small" });
    const changed = await (await changeDefaults({ model: "lab:large" })).json();
    expect(changed).toMatchObject({ model: "lab:large", resolved: "lab:large", fixedBy: null });
    expect((await listAs("admin")).providers.find(({ id }) => id === "lab")?.isDefault).toBe(true);
  });

  test("fallbacks answer when the default fails", async () => {
    await add({ baseUrl: "http://127.0.0.1:9/v1" });
    expect((await changeDefaults({ model: "lab:small", fallbacks: ["scripted:m"] })).status).toBe(200);
    expect((await chat(null)).words).toBe("scripted");
  });

  test("a model that can't be called is refused with its field", async () => {
    const reply = await changeDefaults({ fallbacks: ["nobody:m"] });
    expect(reply.status).toBe(400);
    expect((await reply.json()).error.details[0].path).toBe("fallbacks.0");
  });
});

test("the agents of a provider are listed, and those of an unknown one are not found", async () => {
  const agentsOf = async (providerId: string) =>
    (await server.call(agentsRoute, { as: "admin", params: { providerId } })).status;
  expect([await agentsOf("scripted"), await agentsOf("nothing"), await agentsOf("__proto__")]).toEqual([200, 404, 404]);
});
