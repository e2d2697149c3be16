import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { getDraft, saveDraft } from "./drafts/agent-draft";
import { offerSeededTools } from "./offer-seeded-tools";
import { createAgent, getCurrentVersion } from "./publish-version";
import { seedAgents } from "./seed-agents";

/** As version 0.1 seeded it, with what the migration has added since. */
const SEEDED: RawConfig = {
  name: "Assistant",
  description: "Plans, works with files, runs commands and remembers what matters.",
  system_prompt: `You are a capable assistant with a workspace of your own.

Plan work of more than two steps with write_todos and keep the plan up to date. Read a file before you change it. Check what you did before you say that it is done, and say plainly what you could not do. Keep answers short unless asked for more.`,
  tools: ["calculate", "current_datetime", "ask_user"],
  backend: { type: "state" },
  memory: { paths: ["AGENTS.md"] },
  memory_flush: { always: true },
  compaction: { min_ratio: 0.25 },
  skills: { paths: ["skills"] },
  permissions: { enabled: true, mode: "accept_edits", ask: ["execute"] },
  subagents: ["researcher"],
  choices: { models: [], efforts: [] },
};

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const add = (raw: RawConfig) => createAgent(server.services, { agentId: "default", raw, createdById: null });
const notes = () => server.database.inboxNote.findMany();

test("an untouched agent of an earlier version gets a draft with the new tools, and administrators a note, once", async () => {
  await add(SEEDED);
  await offerSeededTools(server.services);
  await offerSeededTools(server.services);
  expect((await getCurrentVersion(server.database, "default")).raw).toEqual(SEEDED);
  const draft = await getDraft(server.services, "default");
  expect(draft).toMatchObject({ revision: 1, baseVersion: 1, valid: true });
  expect(parse(draft.yaml)).toMatchObject({
    tools: expect.arrayContaining(["schedule", "web_fetch", "web_search"]),
    backend: { type: "state" },
    permissions: { ask: ["execute"], allow: expect.arrayContaining([{ tool: "web_fetch", addresses: "known" }]) },
    choices: { models: [], efforts: [] },
  });
  expect(await notes()).toMatchObject([{ userId: "admin", kind: "agent", path: "/admin/agents/default" }]);
  await server.database.agentDraft.deleteMany();
  await offerSeededTools(server.services);
  expect((await getDraft(server.services, "default")).revision).toBe(0);
});

test("two processes that start at once make one draft and one note", async () => {
  await add(SEEDED);
  await Promise.all([offerSeededTools(server.services), offerSeededTools(server.services)]);
  expect(await server.database.agentDraft.count()).toBe(1);
  expect(await notes()).toHaveLength(1);
});

test("a start that ended between the draft and the notes is made up for", async () => {
  await add(SEEDED);
  await offerSeededTools(server.services);
  await server.database.inboxNote.deleteMany();
  await server.database.setting.delete({ where: { key: "seeded_tools_offered" } });
  await offerSeededTools(server.services);
  expect(await server.database.agentDraft.count()).toBe(1);
  expect(await notes()).toHaveLength(1);
});

test.each([
  ["whose prompt somebody changed", { ...SEEDED, system_prompt: "Mine." }],
  ["with another tool", { ...SEEDED, tools: ["calculate"] }],
  ["with a model", { ...SEEDED, model: "demo:demo" }],
])("an agent %s stays as it is", async (_, raw) => {
  await add(raw);
  await offerSeededTools(server.services);
  expect((await getDraft(server.services, "default")).revision).toBe(0);
  expect(await notes()).toEqual([]);
});

test("somebody's own draft stays, and a fresh installation is offered nothing", async () => {
  await seedAgents(server.services);
  await offerSeededTools(server.services);
  expect((await getDraft(server.services, "default")).revision).toBe(0);
  await server.database.setting.delete({ where: { key: "seeded_tools_offered" } });
  await server.database.agent.delete({ where: { id: "default" } });
  await add(SEEDED);
  await saveDraft(server.services, "default", { yaml: "name: Mine\n", revision: 0 }, { id: "admin" });
  await offerSeededTools(server.services);
  expect((await getDraft(server.services, "default")).yaml).toBe("name: Mine\n");
  expect(await notes()).toEqual([]);
});
