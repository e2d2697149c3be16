import { afterEach, beforeEach, expect, test } from "vitest";
import { GET as getAgent, PATCH as patchAgent } from "@/app/agents/[id]/route";
import { POST as postAgent } from "@/app/agents/route";
import { PUT as putDraft } from "@/app/api/agents/[agentId]/draft/route";
import { POST as publishDraft } from "@/app/api/agents/[agentId]/publish/route";
import { GET as getDetail } from "@/app/api/agents/[agentId]/route";
import { POST as importAgents } from "@/app/api/agents/import/route";
import { DELETE as deleteProvider } from "@/app/api/providers/[providerId]/route";
import { POST as addProvider } from "@/app/api/providers/route";
import { GET as getRun } from "@/app/api/runs/[runId]/route";
import { POST as sendMessage } from "@/app/api/threads/[threadId]/messages/route";
import { POST as openThread } from "@/app/api/threads/route";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { readConfigObject, readConfigYaml } from "./read-config";

let server: RunServer;
beforeEach(async () => {
  server = await startRunServer([{ text: "scripted" }], { OPENAI_API_KEY: "sk-environment-key" });
});
afterEach(() => server.close());

const ADDRESS = "http://127.0.0.1:9";
const named = (api_key_ref: string, base_url = ADDRESS) => ({
  provider: "openai-compatible",
  model: "m",
  base_url,
  api_key_ref,
});
const yamlOf = (api_key_ref: string) => `name: A\nmodel: ${JSON.stringify(named(api_key_ref))}\n`;
const asAdmin = <Body>(body: Body) => ({ as: "admin" as const, body });
const addLab = () =>
  server.call(
    addProvider,
    asAdmin({ id: "lab", kind: "openai-compatible", name: "Lab", baseUrl: ADDRESS, apiKey: "sk-lab-0123456789" }),
  );
const addAgent = (api_key_ref: string) =>
  server.call(postAgent, asAdmin({ agent_id: "own-key", name: "A", model: named(api_key_ref), retries: 0 }));

test("a key that no provider has is refused when saving, on every way to save, by the keys that there are", async () => {
  const words = 'and "nobody" is none. Those with one: openai.';
  const params = { id: "keyless", agentId: "keyless" };
  expect((await server.call(postAgent, asAdmin({ agent_id: "keyless", name: "A" }))).status).toBe(201);
  const { revision } = await (
    await server.call(putDraft, { ...asAdmin({ yaml: yamlOf("nobody"), revision: 0 }), method: "PUT", params })
  ).json();
  const replies = [
    await addAgent("nobody"),
    await server.call(patchAgent, { ...asAdmin({ model: named("nobody") }), method: "PATCH", params }),
    await server.call(patchAgent, { ...asAdmin({ fallback_models: [named("nobody")] }), method: "PATCH", params }),
    await server.call(publishDraft, { ...asAdmin({ revision }), params }),
    await server.call(
      importAgents,
      asAdmin({ yaml: `agents:\n  two: ${JSON.stringify({ name: "A", model: named("nobody") })}` }),
    ),
  ];
  for (const reply of replies) {
    expect(reply.status).toBe(400);
    const { error } = await reply.json();
    expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining(words) });
    expect(error.details[0].path).toMatch(/^(?:model|fallback_models\.0)\.api_key_ref$/);
  }
  expect(await server.database.agent.count({ where: { id: { in: ["own-key", "two"] } } })).toBe(0);
});

test("a key of another address is refused by the address that it is for", () => {
  const [problem] = readConfigObject(server.services, { name: "A", model: named("openai") }).problems;
  expect(problem).toMatchObject({ path: "model.api_key_ref", severity: "error" });
  expect(problem?.message).toContain("goes only to https://api.openai.com");
  expect(readConfigYaml(server.services, yamlOf("openai")).problems[0]).toMatchObject({ line: 2 });
});

test("without any key there is none to name", async () => {
  await server.close();
  server = await startRunServer([{ text: "scripted" }]);
  const [problem] = readConfigObject(server.services, { name: "A", model: named("toString") }).problems;
  expect(problem?.message).toContain('"toString" is none. None has one yet.');
});

test("a key from the page of models is taken; when it is removed, the agent still loads and its run says why", async () => {
  await addLab();
  expect((await addAgent("lab")).status).toBe(201);
  const params = { id: "own-key", agentId: "own-key" };
  expect(
    (await server.call(deleteProvider, { ...asAdmin(undefined), method: "DELETE", params: { providerId: "lab" } })).ok,
  ).toBe(true);
  const { warnings } = await (await server.call(getAgent, { as: "admin", params })).json();
  expect(warnings).toMatchObject([{ path: "model", message: expect.stringContaining('"lab" is none') }]);
  expect((await server.call(getDetail, { as: "admin", params })).status).toBe(200);
  const { id: threadId } = await (await server.call(openThread, asAdmin({ agentId: "own-key" }))).json();
  const sent = await server.call(sendMessage, { ...asAdmin({ content: "hi" }), params: { threadId } });
  const { runId, error } = await sent.json();
  expect([sent.status, error]).toEqual([202, undefined]);
  const run = async () => (await server.call(getRun, { as: "admin", params: { runId } })).json();
  await expect.poll(async () => (await run()).status).toBe("failed");
  expect(JSON.stringify((await run()).error)).toContain("is none. Those with one: openai.");
});
