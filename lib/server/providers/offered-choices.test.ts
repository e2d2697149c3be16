import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { GET as agentRoute } from "@/app/api/agents/[agentId]/route";
import {
  DELETE as deleteRoute,
  PATCH as patchRoute,
  GET as providerRoute,
} from "@/app/api/providers/[providerId]/route";
import { POST as addRoute } from "@/app/api/providers/route";
import { POST as sendRoute } from "@/app/api/threads/[threadId]/messages/route";
import { POST as openRoute } from "@/app/api/threads/route";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { type ScriptedServer, startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";

const LISTED = ["small", "large", "nomic-embed-text"];

let server: RunServer;
let own: ScriptedServer;

beforeAll(async () => {
  server = await startRunServer([{ text: "scripted" }], { OPENAI_API_KEY: "sk-environment-key" });
});
afterAll(() => server.close());
beforeEach(async () => {
  own = await startScriptedServer({ script: () => ({ text: "Ready." }), models: LISTED });
});
afterEach(async () => {
  for (const { id } of await server.database.provider.findMany()) {
    await server.call(deleteRoute, { as: "admin", params: { providerId: id }, method: "DELETE" });
  }
  await own.close();
});

async function add(id: string, fields: object = {}): Promise<void> {
  const body = { id, kind: "openai-compatible", baseUrl: own.url, ...fields };
  expect((await server.call(addRoute, { as: "admin", body })).status).toBe(201);
}

async function change(providerId: string, body: object): Promise<void> {
  const options = { as: "admin", params: { providerId }, method: "PATCH", body } as const;
  expect((await server.call(patchRoute, options)).status).toBe(200);
}

async function addAgent(raw: Readonly<Record<string, unknown>>): Promise<string> {
  const agentId = `a-${crypto.randomUUID()}`;
  await createAgent(server.services, { agentId, raw: { name: "A", ...raw }, createdById: null });
  return agentId;
}

async function choicesOf(agentId: string, as: "admin" | "member"): Promise<AgentInfo["choices"]> {
  return (await (await server.call(agentRoute, { as, params: { agentId } })).json()).choices;
}

async function send(agentId: string, as: "admin" | "member", fields: object) {
  const { id: threadId } = await (await server.call(openRoute, { as, body: { agentId } })).json();
  const reply = await server.call(sendRoute, { as, params: { threadId }, body: { content: "hi", ...fields } });
  return { status: reply.status, words: (await reply.json()).error?.message };
}

describe("an agent that lists no choices", () => {
  test("offers members what costs no more than the default model, and administrators every chat model", async () => {
    const agentId = await addAgent({ model: "openai:gpt-5-mini" });
    const [forMember, forAdmin] = [await choicesOf(agentId, "member"), await choicesOf(agentId, "admin")];
    expect(forMember.models).toEqual(expect.arrayContaining(["openai:gpt-5-mini", "openai:gpt-5-nano"]));
    expect(forMember.models).not.toContain("openai:gpt-6-astra");
    expect(forAdmin.models).toEqual(expect.arrayContaining([...forMember.models, "openai:gpt-6-astra"]));
    expect(forMember.efforts).toEqual(["low", "medium", "high"]);
    expect(await send(agentId, "member", { model: "openai:gpt-5-nano", effort: "minimal" })).toMatchObject({
      status: 202,
    });
    const refused = await send(agentId, "member", { model: "openai:gpt-6-astra" });
    expect(refused.status).toBe(400);
    expect(refused.words).toMatch(/^openai:gpt-6-astra can't be picked for this agent\. Choose openai:gpt-/);
  });

  test("offers members nothing whose price is unknown until it is listed", async () => {
    await add("lab");
    const agentId = await addAgent({ model: "lab:small" });
    expect((await choicesOf(agentId, "member")).models).toEqual(["lab:small"]);
    expect((await choicesOf(agentId, "admin")).models).toEqual(["lab:small", "lab:large"]);
    await change("lab", { models: [{ id: "small" }, { id: "large" }] });
    expect((await choicesOf(agentId, "member")).models).toEqual(["lab:small", "lab:large"]);
    expect(await send(agentId, "member", { model: "lab:large" })).toMatchObject({ status: 202 });
  });

  test("refuses, by its name, a model that was switched off after it was picked", async () => {
    await add("lab", { models: [{ id: "small" }, { id: "large" }] });
    const agentId = await addAgent({ model: "lab:small" });
    await change("lab", { models: [{ id: "small" }, { id: "large", enabled: false }] });
    expect((await choicesOf(agentId, "admin")).models).toEqual(["lab:small"]);
    const refused = await send(agentId, "admin", { model: "lab:large" });
    expect(refused).toMatchObject({ status: 400, words: expect.stringMatching(/^lab:large can't be picked/) });
  });

  test("offers another provider's models once that one is for any agent, and only to roles that may use it", async () => {
    await add("lab", { models: [{ id: "small" }] });
    await add("other", { models: [{ id: "big" }] });
    const agentId = await addAgent({ model: "lab:small" });
    expect((await choicesOf(agentId, "member")).models).toEqual(["lab:small"]);
    await change("other", { anyAgent: true });
    expect((await choicesOf(agentId, "member")).models).toEqual(["lab:small", "other:big"]);
    await change("other", { allowedRoles: ["admin"] });
    expect((await choicesOf(agentId, "member")).models).toEqual(["lab:small"]);
    expect((await choicesOf(agentId, "admin")).models).toEqual(["lab:small", "other:big"]);
  });

  test("is not held up by a provider that does not answer", async () => {
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
    const columns = { id: "silent", kind: "openai-compatible", name: "Silent", baseUrl, createdById: "u" };
    await server.database.provider.create({ data: { ...columns, allowedRoles: JSON.stringify(Role.options) } });
    await add("lab");
    const agentId = await addAgent({ model: "silent:m" });
    const startedAtMs = performance.now();
    expect((await choicesOf(agentId, "admin")).models).toEqual([]);
    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
    silent.closeAllConnections();
    silent.close();
  });
});

describe("an agent with choices", () => {
  test("fixes each list that is empty, and leaves the other open where it is null", async () => {
    await add("lab", { models: [{ id: "small" }, { id: "large" }] });
    const fixed = await addAgent({ model: "lab:small", choices: { models: [], efforts: null } });
    expect(await choicesOf(fixed, "member")).toEqual({ models: [], efforts: ["low", "medium", "high"] });
    expect(await send(fixed, "member", { model: "lab:large" })).toMatchObject({ status: 400 });
    expect(await send(fixed, "member", { effort: "xhigh" })).toMatchObject({ status: 202 });
    const efforts = await addAgent({ model: "lab:small", choices: { models: null } });
    expect(await choicesOf(efforts, "member")).toEqual({ models: ["lab:small", "lab:large"], efforts: [] });
    expect(await send(efforts, "member", { effort: "low" })).toMatchObject({ status: 400 });
  });

  test("offers none of them that is switched off or whose provider is gone", async () => {
    await add("lab", { models: [{ id: "small" }, { id: "large", enabled: false }] });
    const models = ["lab:small", "lab:large", "gone:model", "openai:gpt-5-nano"];
    const agentId = await addAgent({ model: "lab:small", choices: { models } });
    expect((await choicesOf(agentId, "member")).models).toEqual(["lab:small", "openai:gpt-5-nano"]);
  });
});

test("a provider's page counts the models that only administrators may pick", async () => {
  await add("lab");
  const dearerAt = async (providerId: string) =>
    (await (await server.call(providerRoute, { as: "admin", params: { providerId } })).json()).dearer;
  expect(await dearerAt("lab")).toBe(2);
  await change("lab", { models: [{ id: "small" }] });
  expect(await dearerAt("lab")).toBe(0);
  expect(await dearerAt("demo")).toBe(0);
});
