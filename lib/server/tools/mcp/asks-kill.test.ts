import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as accept } from "@/app/api/mcp-servers/[serverId]/accept/route";
import { GET as listTools } from "@/app/api/mcp-servers/[serverId]/tools/route";
import { POST as create } from "@/app/api/mcp-servers/route";
import { POST as decide } from "@/app/api/runs/[runId]/decisions/route";
import { connectingParts } from "@/lib/testing/fixtures/connecting-parts";
import { addAgent, addThread, eventsToEnd, testHost } from "@/lib/testing/fixtures/run-fixture";
import { takeJobsOfDeadWorkers } from "@/lib/testing/processes/dead-workers";
import { runProcess } from "@/lib/testing/processes/start-process";
import { type CurrentMcpServer, startCurrentMcpServer } from "@/lib/testing/servers/mcp/current-mcp-server";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let mcp: CurrentMcpServer;
let server: TestServer;

beforeEach(async () => {
  mcp = await startCurrentMcpServer("reject");
  server = await startTestServer({ RINGMASTER_ALLOWED_PRIVATE_HOSTS: mcp.host });
  await addAgent(server.database, "caller", { name: "Caller", model: "scripted:connecting", mcp_servers: ["own"] });
  await addThread(server.database, "th1", { ownerId: "member", agentId: "caller" });
  const body = { id: "own", transport: "http", url: mcp.url };
  expect((await server.call(create, { as: "admin", body })).status).toBe(201);
  const params = { serverId: "own" };
  const { tools } = await (await server.call(listTools, { as: "admin", params })).json();
  const shown = tools.map(({ name, hash }: { name: string; hash: string }) => ({ name, hash }));
  expect((await server.call(accept, { as: "admin", params, body: { tools: shown } })).status).toBe(200);
});

afterEach(async () => {
  await server.close();
  await mcp.close();
});

/** Until the run waits for a person; then the process is killed. */
async function executeAndDie(tool: string, threadId?: string): Promise<void> {
  const script = "lib/testing/processes/mcp/asking-host.ts";
  const place = [server.databaseUrl, server.dataDirectory, mcp.host, tool, ...(threadId ? [threadId] : [])];
  expect(await runProcess(script, ...place)).toMatchObject({ signal: "SIGKILL", errors: "" });
  await takeJobsOfDeadWorkers(server.database);
}

/** Answers the question that is open; returns its text. */
async function answer(text: string): Promise<string> {
  const { runId, toolCallId, args } = await server.database.approval.findFirstOrThrow({ where: { status: "pending" } });
  const decisions = [{ tool_call_id: toolCallId, decision: "answer", answers: [text] }];
  const reply = await server.call(decide, { as: "member", params: { runId }, body: { decisions } });
  expect(reply.status, await reply.clone().text()).toBe(200);
  return args;
}

/** Runs the run to its end in this process; returns the text of the call's result. */
async function finish(tool: string): Promise<string> {
  const { id: runId } = await server.database.run.findFirstOrThrow();
  const host = testHost(server.database, await connectingParts(tool));
  await host.start();
  await eventsToEnd(server.database, runId);
  await host.stop();
  return (await server.database.message.findFirstOrThrow({ where: { runId, role: "tool" } })).content;
}

const callsOf = () => mcp.requests.filter(({ method }) => method === "tools/call").length;

const timeout = 90_000;

test("a call that asks twice survives a kill -9 at each question, and reaches the server once per answer", {
  timeout,
}, async () => {
  await executeAndDie("order", "th1");
  await answer("Ada");
  await executeAndDie("order");
  await answer("Tea");
  expect(await finish("order")).toBe("Tea for Ada.");
  expect([callsOf(), mcp.ran.get("order")]).toEqual([3, 1]);
});

test("a question whose answer came before any process took the run over is answered with it", { timeout }, async () => {
  await executeAndDie("order", "th1");
  await answer("Ada");
  const host = testHost(server.database, await connectingParts("order"));
  await host.start();
  const open = { where: { status: "pending", run: { status: "waiting" } } };
  await expect.poll(() => server.database.approval.count(open), { timeout: 30_000 }).toBe(1);
  await host.stop();
  expect(callsOf()).toBe(2);
});

test("a call whose server handed out more than is kept ends with words that say so, and is not sent again", {
  timeout,
}, async () => {
  await executeAndDie("hoard", "th1");
  await answer("Ada");
  expect(await finish("hoard")).toContain("The call was interrupted while a person was asked");
  expect(callsOf()).toBe(1);
});

test("what the server handed out is in no answer of the API", { timeout }, async () => {
  await executeAndDie("order", "th1");
  await answer("Ada");
  await executeAndDie("order");
  const run = await server.database.run.findFirstOrThrow();
  const kept = await server.database.runEvent.findMany({ where: { runId: run.id, type: "question.asked" } });
  expect(kept.every(({ data }) => data.includes("continuation"))).toBe(true);
  const { GET: events } = await import("@/app/api/runs/[runId]/events/route");
  const { GET: approvals } = await import("@/app/api/approvals/route");
  const shown = [
    await (await server.call(events, { as: "member", params: { runId: run.id } })).text(),
    await (await server.call(approvals, { as: "member" })).text(),
  ].join();
  expect(shown).toContain("What?");
  expect(shown).not.toMatch(/continuation|inputRequests/);
});
