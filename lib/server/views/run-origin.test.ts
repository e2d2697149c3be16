import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { GET as getRun } from "@/app/api/runs/[runId]/route";
import { POST as send } from "@/app/api/threads/[threadId]/messages/route";
import { POST as complete } from "@/app/v1/chat/completions/route";
import { sendMessage } from "@/lib/server/threads/send-message";
import { addAgent, addThread } from "@/lib/testing/fixtures/run-fixture";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";

let server: RunServer;
let calls = 0;
const CHILD = { name: "task", args: { agent: "helper", description: "Help", prompt: "Help" } };

beforeEach(async () => {
  calls = 0;
  server = await startRunServer(() => (calls++ === 0 ? { calls: [CHILD] } : { text: "done" }));
  const helper = { name: "helper", prompt: "Help." };
  await addAgent(server.database, "asked", { name: "Asked", model: "scripted:m", subagents: [helper] });
  await addThread(server.database, "th1", { ownerId: "member", agentId: "asked" });
});
afterEach(() => server.close());

async function startOf(runId: string) {
  const run = await (await server.call(getRun, { as: "admin", params: { runId } })).json();
  return [run.origin, run.attended];
}

test("a run says whether a message on the page, the API or another run started it", async () => {
  const body = { content: "Go" };
  const params = { threadId: "th1" };
  const member = { id: "member", role: "member", scopes: ["chat", "read"] } as const;
  const sender = { ...member, keyId: undefined } as never;
  const page = await sendMessage(server.services, "th1", { sender }, body);
  expect(await startOf(page.runId)).toEqual([{ kind: "chat" }, true]);
  const key = await server.addKey("member", ["chat", "read"]);
  const keyed = await (await server.call(send, { key, method: "POST", params, body })).json();
  expect(await startOf(keyed.runId)).toEqual([{ kind: "api" }, true]);
  const messages = [{ role: "user", content: "Go" }];
  const options = { as: "member", method: "POST" } as const;
  const invoked = await server.call(invoke, { ...options, params: { id: "asked" }, body: { messages } });
  expect(await startOf((await invoked.json()).run_id)).toEqual([{ kind: "api" }, true]);
  await server.call(complete, { ...options, body: { model: "agent:asked", messages } });
  const runs = await server.database.run.findMany({ select: { origin: true, attended: true, depth: true } });
  expect(runs.map(({ origin }) => origin).sort()).toEqual(["api", "api", "api", "chat", "subagent"]);
  expect(runs.every(({ attended }) => attended)).toBe(true);
});
