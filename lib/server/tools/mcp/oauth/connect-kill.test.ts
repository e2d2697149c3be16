import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as accept } from "@/app/api/mcp-servers/[serverId]/accept/route";
import { POST as connect, DELETE as disconnect } from "@/app/api/mcp-servers/[serverId]/connect/route";
import { POST as refresh } from "@/app/api/mcp-servers/[serverId]/refresh/route";
import { GET as listTools } from "@/app/api/mcp-servers/[serverId]/tools/route";
import { GET as callback } from "@/app/api/mcp-servers/callback/route";
import { POST as create } from "@/app/api/mcp-servers/route";
import type { Role } from "@/lib/schema/users/user";
import { connectingParts } from "@/lib/testing/fixtures/connecting-parts";
import { addAgent, addThread, eventsToEnd, testHost } from "@/lib/testing/fixtures/run-fixture";
import { takeJobsOfDeadWorkers } from "@/lib/testing/processes/dead-workers";
import { runProcess } from "@/lib/testing/processes/start-process";
import type { McpTestAuthority } from "@/lib/testing/servers/mcp/mcp-test-authority";
import { type McpTestServer, startMcpTestServer } from "@/lib/testing/servers/mcp/mcp-test-server";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { resumeConnected } from "./resume-connected";

let mcp: McpTestServer;
let authority: McpTestAuthority;
let server: TestServer;
let calls: (string | null)[] = [];
const params = { serverId: "own" };

beforeEach(async () => {
  mcp = await startMcpTestServer();
  authority = mcp.requireSignIn();
  calls = [];
  const run = () => {
    calls.push(authority.accountOf({ headers: mcp.headers() }));
    return `You are ${calls.at(-1)}`;
  };
  mcp.set({ name: "echo", annotations: { readOnlyHint: true }, run });
  server = await startTestServer({ RINGMASTER_ALLOWED_PRIVATE_HOSTS: mcp.host });
  await addAgent(server.database, "caller", { name: "Caller", model: "scripted:connecting", mcp_servers: ["own"] });
  await addThread(server.database, "th1", { ownerId: "member", agentId: "caller" });
  const body = { id: "own", transport: "http", url: mcp.url, auth: "oauth", scope: "per_user" };
  expect((await server.call(create, { as: "admin", body })).status).toBe(201);
  await connectAs("admin");
  expect((await server.call(refresh, { as: "admin", params, body: {} })).status).toBe(200);
  const { tools } = await (await server.call(listTools, { as: "admin", params })).json();
  expect((await server.call(accept, { as: "admin", params, body: { tools: tools.map(shown) } })).status).toBe(200);
});
afterEach(async () => {
  await server.close();
  await mcp.close();
});

const shown = ({ name, hash }: { name: string; hash: string }) => ({ name, hash });

/** Does what a browser does: goes to the server's sign-in and back to Ringmaster's. */
async function connectAs(as: Role): Promise<void> {
  authority.account = `${as}@forge.test`;
  const { url } = await (await server.call(connect, { as, method: "POST", params, body: {} })).json();
  const there = await fetch(url, { redirect: "manual" });
  const { pathname, search } = new URL(there.headers.get("location") ?? "http://nowhere");
  expect((await server.call(callback, { as, path: pathname + search })).status).toBe(303);
}

/** A run that waits for its person's connection and whose process is gone. */
async function killedWhileWaiting(): Promise<string> {
  const script = "lib/testing/processes/connecting-host.ts";
  const ended = await runProcess(script, server.databaseUrl, server.dataDirectory, mcp.host, "th1");
  expect(ended).toMatchObject({ signal: "SIGKILL", errors: "" });
  return ended.output.trim();
}

/** Runs the run to its end in this process; returns the text of the call's result. */
async function finish(runId: string): Promise<string> {
  const host = testHost(server.database, await connectingParts());
  await takeJobsOfDeadWorkers(server.database);
  await host.start();
  await eventsToEnd(server.database, runId);
  await host.stop();
  const row = await server.database.message.findFirstOrThrow({ where: { runId, role: "tool" } });
  expect(await server.database.run.findUnique({ where: { id: runId } })).toMatchObject({ status: "completed" });
  return row.content;
}

const stateOf = (id: string) =>
  server.database.run.findUniqueOrThrow({ where: { id }, select: { status: true, waitingFor: true } });

const timeout = 60_000;

test("a run that waits for a connection survives kill -9; connecting through another process resumes it, and the call is made once", {
  timeout,
}, async () => {
  const runId = await killedWhileWaiting();
  expect([await stateOf(runId), calls]).toEqual([{ status: "waiting", waitingFor: "connect" }, []]);
  await connectAs("member");
  expect(await finish(runId)).toBe("You are member@forge.test");
  await resumeConnected(server.database);
  expect(calls).toEqual(["member@forge.test"]);
  expect(await server.database.runEvent.count({ where: { runId, type: "interrupt.decided" } })).toBe(1);
});

test("a connection that is lost again before any process takes the run over makes it ask again", {
  timeout,
}, async () => {
  const runId = await killedWhileWaiting();
  await connectAs("member");
  expect((await server.call(disconnect, { as: "member", method: "DELETE", params })).status).toBe(204);
  const host = testHost(server.database, await connectingParts());
  await takeJobsOfDeadWorkers(server.database);
  await host.start();
  const asks = { where: { runId, kind: "connect", status: "pending" } };
  await expect.poll(() => server.database.approval.count(asks)).toBe(1);
  await expect.poll(() => stateOf(runId)).toEqual({ status: "waiting", waitingFor: "connect" });
  await host.stop();
  expect(calls).toEqual([]);
});
