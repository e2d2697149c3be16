import { afterEach, expect, test } from "vitest";
import { GET as listFiles } from "@/app/agents/[id]/files/list/route";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { POST as preview } from "@/app/api/agents/[agentId]/preview-prompt/route";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import { createAgent } from "@/lib/server/agents/publish-version";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { requireMachine } from "@/lib/testing/setup/require-machine";

let server: RunServer;
afterEach(() => server.close());

async function start(config: Partial<AgentConfigInput>): Promise<void> {
  server = await startRunServer([{ text: "ok" }]);
  const raw = { name: "Ada", model: "scripted:m", backend: { type: "local" as const }, ...config };
  await createAgent(server.services, { agentId: "ada", raw, createdById: null });
}
async function say(): Promise<void> {
  const body = { messages: [{ role: "user", content: "hi" }] };
  const reply = await server.call(invoke, { as: "member", params: { id: "ada" }, body });
  expect(reply.status).toBe(200);
}
async function names(): Promise<string[]> {
  const reply = await server.call(listFiles, { as: "member", params: { id: "ada" } });
  return (await reply.json()).entries.map(({ name }: { name: string }) => name);
}

test.skipIf(!requireMachine("linux")).for<[string, Partial<AgentConfigInput>, string[]]>([
  ["memory documents", { memory: { paths: ["AGENTS.md"] } }, ["memory"]],
  ["memory tools", { tools: ["memory_append"] }, ["memory"]],
  ["no memory", {}, []],
])("after the first run of an agent with %s the folders are %s", async ([, config, folders]) => {
  await start(config);
  for (const _ of ["first", "again"]) {
    await say();
    expect(await names()).toEqual(folders);
  }
});

test.skipIf(!requireMachine("linux"))("looking at the prompt creates no folder", async () => {
  await start({ memory: { paths: ["AGENTS.md"] } });
  const reply = await server.call(preview, { as: "admin", params: { agentId: "ada" }, body: {} });
  expect(reply.status).toBe(200);
  const list = await server.call(listFiles, { as: "admin", params: { id: "ada" } });
  expect((await list.json()).entries).toEqual([]);
});
