import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GET as agentInfo } from "@/app/agents/[id]/route";
import { GET as publicList } from "@/app/agents/route";
import { POST as createThread } from "@/app/api/threads/route";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { GET as draftOf, PUT as saveDraft } from "./[agentId]/draft/route";
import { POST as duplicate } from "./[agentId]/duplicate/route";
import { POST as publish } from "./[agentId]/publish/route";
import { GET as detail, DELETE as remove } from "./[agentId]/route";
import { GET as versions } from "./[agentId]/versions/route";
import { POST as importAgents } from "./import/route";
import { POST as create, GET as list } from "./route";

describe("an agent that is only a draft", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.close());

  const made = (body: object) => server.call(create, { as: "admin", body: { draft: true, ...body } });
  const idOf = async (body: object) => (await (await made(body)).json()).id;
  const of = (agentId: string) => ({ as: "admin" as const, params: { agentId } });
  const draft = async (agentId: string) => (await server.call(draftOf, of(agentId))).json();

  test("takes its id from its name, and another one where that is in use", async () => {
    expect([await idOf({ name: "Invoice check" }), await idOf({ name: "Invoice check" })]).toEqual([
      "invoice-check",
      "invoice-check-2",
    ]);
    const taken = await made({ name: "Other", id: "invoice-check" });
    expect(taken.status).toBe(409);
    expect((await taken.json()).error.details).toEqual([{ path: "id", message: expect.any(String) }]);
  });

  test("is seen by administrators only, and by nobody who chats", async () => {
    await made({ name: "Invoices", description: "Checks them." });
    const { agents, drafts } = await (await server.call(list, { as: "admin" })).json();
    expect([agents, drafts]).toMatchObject([[], [{ id: "invoices", name: "Invoices", description: "Checks them." }]]);
    expect(await (await server.call(list, { as: "member" })).json()).toEqual({ agents: [] });
    expect((await (await server.call(publicList, { as: "admin" })).json()).agents).toEqual([]);
    expect((await server.call(agentInfo, { as: "admin", params: { id: "invoices" } })).status).toBe(404);
    expect((await server.call(detail, { as: "member", params: { agentId: "invoices" } })).status).toBe(404);
    expect((await (await server.call(detail, of("invoices"))).json()).version).toBeNull();
  });

  test("runs in a test thread and nowhere else", async () => {
    await made({ name: "Invoices" });
    const open = (body: object) => server.call(createThread, { as: "admin", body: { agentId: "invoices", ...body } });
    expect((await open({})).status).toBe(404);
    expect((await open({ draft: true })).status).toBe(201);
  });

  test("is filled in from a template, whose commands ask first and whose comments stay", async () => {
    const tools = ["execute", "web_fetch", "calculate"];
    const body = { template: "data-analyst", name: "Figures", description: "Adds up.", model: "demo:demo", tools };
    const { config, yaml, valid } = await draft(await idOf(body));
    expect([valid, yaml.includes("# Uploaded data is never changed")]).toEqual([true, true]);
    expect(config).toMatchObject({
      name: "Figures",
      description: "Adds up.",
      model: "demo:demo",
      backend: { type: "local" },
      permissions: { enabled: true, ask: ["execute"], allow: [{ tool: "web_fetch", addresses: "known" }] },
      tools: expect.arrayContaining(["calculate", "web_fetch"]),
    });
    expect(config.system_prompt).toMatch(/^Adds up\.\n\nYou are a data analyst\./);
  });

  test("is refused with a config that would not run, an unknown template, or fields without draft", async () => {
    const refused = [
      await made({ yaml: "name: A\nmax_tokens: -1" }),
      await made({ name: "A", template: "nothing" }),
      await made({}),
      await made({ yaml: "name: A", name: "B" }),
      await server.call(create, { as: "admin", body: { id: "a", yaml: "name: A", tools: ["execute"] } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  });

  test("becomes version 1 when it is published, with what was saved since", async () => {
    const agentId = await idOf({ name: "Invoices" });
    expect(await draft(agentId)).toMatchObject({ revision: 1, baseVersion: 0, isBehind: false });
    const config = { name: "Invoices", system_prompt: "Check." };
    const put = await server.call(saveDraft, { ...of(agentId), method: "PUT", body: { config, revision: 1 } });
    expect([put.status, (await (await server.call(versions, of(agentId))).json()).versions]).toEqual([200, []]);
    const reply = await server.call(publish, { ...of(agentId), body: { revision: 2, baseVersion: 0 } });
    expect(await reply.json()).toEqual({ number: 1 });
    expect(await (await server.call(detail, of(agentId))).json()).toMatchObject({ version: 1, config });
    expect((await (await server.call(list, { as: "admin" })).json()).drafts).toEqual([]);
    expect((await server.call(agentInfo, { as: "member", params: { id: agentId } })).status).toBe(200);
  });

  test("is gone once it is discarded, and its id stays taken", async () => {
    const agentId = await idOf({ name: "Invoices" });
    expect((await server.call(remove, { ...of(agentId), method: "DELETE" })).status).toBe(204);
    expect((await server.call(draftOf, of(agentId))).status).toBe(404);
    expect((await (await server.call(list, { as: "admin" })).json()).drafts).toEqual([]);
    expect(await idOf({ name: "Invoices" })).toBe("invoices-2");
  });

  test("a duplicate and an import can be drafts too, prompt files included", async () => {
    const text = "agents:\n  first:\n    name: First\nprompt_files:\n  first:\n    SOUL.md: Calm.\n";
    const bring = (draft: boolean) => server.call(importAgents, { as: "admin", body: { yaml: text, draft } });
    expect((await (await bring(true)).json()).agents).toMatchObject([{ id: "first", outcome: "created" }]);
    expect((await server.call(publish, { ...of("first"), body: { revision: 1 } })).status).toBe(201);
    const copy = await server.call(duplicate, { ...of("first"), body: { id: "second", draft: true } });
    expect((await copy.json()).version).toBeNull();
    expect((await server.call(publish, { ...of("second"), body: { revision: 1 } })).status).toBe(201);
    const files = await server.database.agentVersionFile.findMany({
      where: { agentVersion: { agentId: "second", number: 1 } },
      select: { name: true, content: true },
    });
    expect(files).toEqual([{ name: "SOUL.md", content: "Calm." }]);
  });

  test("an import without drafts publishes over a draft of the same id, which is then behind", async () => {
    await made({ name: "First", id: "first" });
    const body = { yaml: "agents:\n  first:\n    name: Imported\n" };
    expect((await server.call(importAgents, { as: "admin", body })).status).toBe(200);
    expect(await (await server.call(detail, of("first"))).json()).toMatchObject({ version: 1, name: "Imported" });
    expect(await draft("first")).toMatchObject({ revision: 1, isBehind: true, config: { name: "First" } });
  });
});
